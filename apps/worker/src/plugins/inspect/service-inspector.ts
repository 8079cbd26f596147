import type { ToolPorts } from '@everturn/tools/kit';
import type { Inspector } from './inspector.ts';
import { listMethod } from './list-method.ts';

/** Signatures of every port, by its own members; the type keeps ports and members complete. */
type Described = {
  readonly [P in keyof ToolPorts]-?: {
    readonly description: string;
    readonly members: { readonly [M in keyof NonNullable<ToolPorts[P]>]: string };
  };
};

const SERVICES: Described = {
  files: {
    description: 'Files of the session, kept to its sandbox mode.',
    members: {
      stat: '({ path, cwd, signal }): Promise<FileStat>',
      readText: '({ path, cwd, signal }): Promise<TextFile>',
      readBytes: '(ReadBytesInput): Promise<BinaryFile>',
      list: '(ListFolderInput): Promise<FolderEntry[]>',
      write: '(WriteFileInput): Promise<FileChange>',
      edit: '(EditFileInput): Promise<FileChange>',
    },
  },
  processes: {
    description: 'Programs in process groups of their own, confined as the session is.',
    members: {
      run: '(RunProcessInput): Promise<ProcessOutcome>',
      start: '(StartProcessInput): Promise<BackgroundProcess>',
    },
  },
  powershell: { description: 'PowerShell, wherever it is installed.', members: { find: '(): Promise<string>' } },
  sandbox: {
    description: 'How commands are confined on this machine.',
    members: {
      wrap: '(policy, argv, cwd): Promise<ConfinedCommand>',
      report: '(): Promise<SandboxReport>',
    },
  },
  lsp: { description: 'Language servers.', members: { query: '(LspQuery): Promise<LspAnswer>' } },
  search: {
    description: 'Search in files by ripgrep.',
    members: { scope: '({ path?, cwd }): Promise<SearchScope>', run: '(RunRipgrepInput): Promise<ProcessOutcome>' },
  },
  spill: {
    description: 'Keeps what is too long for a result in a file.',
    members: { save: '(SpillInput): Promise<Spilled>' },
  },
  web: {
    description: 'Pages and searches.',
    members: {
      fetch: '({ url, signal }): Promise<WebPage>',
      announce: '(query): SearchRequest | undefined',
      search: '({ query, maxResults, signal }): Promise<SearchAnswer>',
    },
  },
  attachments: {
    description: 'Pictures of the tenant.',
    members: {
      admit: '(bytes, mediaType?): Promise<AdmittedImage>',
      store: '(AdmittedImage): Promise<ImageBlock>',
      save: '(bytes, mediaType?): Promise<ImageBlock>',
    },
  },
  mcp: {
    description: 'Resources of MCP servers.',
    members: {
      listResources: '({ server, cursor?, signal }): Promise<McpPage>',
      listResourceTemplates: '({ server, cursor?, signal }): Promise<McpPage>',
      readResource: '({ server, uri, signal }): Promise<JsonObject>',
    },
  },
  dependencies: {
    description: 'What the deployment ships for work on documents.',
    members: { load: '(): Promise<WorkspaceDependencies>' },
  },
  browser: { description: 'Browsers.', members: { launch: '(signal): Promise<Browser>' } },
  project: {
    description: 'The project the session works in.',
    members: {
      isHere: '(cwd): Promise<boolean>',
      allows: '(folder): Promise<boolean>',
      instructions: '({ cwd, maxBytes }): Promise<Instructions[]>',
    },
  },
  skills: {
    description: 'Skills of the project, the deployment and the user.',
    members: { list: '({ cwd }): Promise<Skill[]>', load: '({ cwd, name }): Promise<LoadedSkill | undefined>' },
  },
  terminals: {
    description: 'Terminals.',
    members: { backends: 'readonly string[]', open: '(OpenTerminalInput): Promise<Terminal>' },
  },
};

/** Tells what the bodies of tools work with. */
export const serviceInspector: Inspector = {
  id: 'Service',
  description: 'What the body of a tool finds at context.ports, with the signatures of each.',
  methods: [
    listMethod<readonly [string, Described[keyof Described]]>({
      name: 'listService',
      noun: 'services of tool bodies',
      member: 'services',
      entries: () => Object.entries(SERVICES),
      nameOf: ([name]) => name,
      short: ([name, { description, members }]) => ({ name, description, members: Object.keys(members) }),
      full: ([name, { description, members }]) => ({
        name,
        description,
        members: Object.keys(members),
        signatures: { ...members },
      }),
      properties: {
        name: { type: 'string' },
        description: { type: 'string' },
        members: { type: 'array', items: { type: 'string' } },
        signatures: { type: 'object', description: 'By member.', additionalProperties: { type: 'string' } },
      },
      required: ['name', 'description', 'members'],
    }),
  ],
};
