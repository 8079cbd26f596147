import type { SessionResources } from './resources-port.ts';
import type { SandboxPolicy } from './sandbox-port.ts';

export type LspOperation = 'goToDefinition' | 'findReferences' | 'goToImplementation' | 'hover';

/** A place in a file, as language servers count: from 0, columns in UTF-16 units. */
export interface LspLocation {
  /** As the server wrote it. */
  uri: string;
  line: number;
  character: number;
}

export interface LspQuery {
  operation: LspOperation;
  /** The source file, absolute and real. */
  path: string;
  /** As the model wrote it, for errors. */
  displayPath: string;
  line: number;
  character: number;
  /** The session's workspace, absolute and real. */
  workspace: string;
  /** Holds the session's share in the server. */
  resources: SessionResources;
  /** What the session may do, and so the server: it runs code that lies in the workspace. */
  sandbox: SandboxPolicy;
  /** Called when the query's turn has come, for what the file holds then. */
  readSource(): Promise<string>;
  signal: AbortSignal;
}

export type LspAnswer =
  | { kind: 'locations'; locations: LspLocation[] }
  /** `text` is absent where the server has nothing to say. */
  | { kind: 'hover'; text?: string };

/** Language servers of the machine, one process for each workspace and language. */
export interface LanguageServersPort {
  /** Throws `ToolError` with an `LSP_…` code, or a plain error where the server or the source is at fault. */
  query(input: LspQuery): Promise<LspAnswer>;
}
