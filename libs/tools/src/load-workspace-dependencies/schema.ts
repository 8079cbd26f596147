import { defineTool } from '../kit/index.ts';

/** Tells where the deployment's own Python and libraries are. */
export const loadWorkspaceDependencies = defineTool({
  name: 'load_workspace_dependencies',
  toolset: 'dependencies',
  description: [
    'Returns, as JSON, absolute paths of the Python and the libraries this deployment ships, with the version of each Python distribution; of Node.js and pnpm, too, where they are shipped.',
    'Use them for office documents and tables unless the person or the workspace asks for another environment. Run pnpm as that node with the path of pnpm as its script.',
    'PATH and the settings of package managers stay as they are. The first call may take long, because files may be copied.',
  ].join(' '),
  parameters: { type: 'object', properties: {} },
  home: 'host',
  effect: 'idempotent',
  presentCall: () => ({ card: 'generic', title: 'Load workspace dependencies' }),
});
