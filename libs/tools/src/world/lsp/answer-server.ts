import type { MessageConnection } from 'vscode-jsonrpc/node';
import type { ServerDefinition } from './server-definition.ts';

interface ConfigurationParams {
  items?: { section?: string }[];
}
interface RegistrationParams {
  registrations?: { method: string }[];
}

/**
 * Answers what servers ask of their editor: settings by configuration, registrations with yes (told to
 * `registered`), and edits with no, because nothing but the tools of the model writes files.
 */
export function answerServer(
  connection: MessageConnection,
  { settings = {} }: ServerDefinition,
  { folder, registered }: { folder: { uri: string; name: string }; registered(method: string): void },
): void {
  connection.onRequest('workspace/configuration', ({ items = [] }: ConfigurationParams) =>
    items.map(({ section }) => settingOf(settings, section)),
  );
  connection.onRequest('workspace/workspaceFolders', () => [folder]);
  connection.onRequest('workspace/applyEdit', () => ({
    applied: false,
    failureReason: 'this client applies no edits',
  }));
  connection.onRequest('client/registerCapability', ({ registrations = [] }: RegistrationParams) => {
    for (const { method } of registrations) registered(method);
    return null;
  });
  for (const method of ['client/unregisterCapability', 'window/workDoneProgress/create', 'window/showMessageRequest'])
    connection.onRequest(method, () => null);
}

/** A section by its dotted name; all of it without a name; null for what is not configured. */
function settingOf(settings: Readonly<Record<string, unknown>>, section: string | undefined): unknown {
  if (!section) return settings;
  if (Object.hasOwn(settings, section)) return settings[section];
  let value: unknown = settings;
  for (const name of section.split('.'))
    value = typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : null;
  return value;
}
