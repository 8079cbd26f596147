/** What we tell servers that we understand. */
export const CLIENT_CAPABILITIES = {
  general: { positionEncodings: ['utf-16'] },
  textDocument: {
    synchronization: { dynamicRegistration: true },
    definition: { dynamicRegistration: true, linkSupport: true },
    implementation: { dynamicRegistration: true, linkSupport: true },
    references: { dynamicRegistration: true },
    hover: { dynamicRegistration: true, contentFormat: ['markdown', 'plaintext'] },
  },
  workspace: { configuration: true, workspaceFolders: true, applyEdit: false },
  window: { workDoneProgress: true },
};
