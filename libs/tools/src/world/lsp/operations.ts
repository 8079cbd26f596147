import { z } from 'zod';
import { ToolError, type LspOperation } from '../../kit/index.ts';

/** What a server says it can do, as far as we ask for it; unknown members are its own business. */
export const ServerCapabilities = z.looseObject({
  positionEncoding: z.string().optional(),
  textDocumentSync: z.union([z.number(), z.looseObject({ openClose: z.boolean().optional() })]).nullish(),
});
export type ServerCapabilities = z.infer<typeof ServerCapabilities>;

const OPERATIONS: Record<LspOperation, { method: string; capability: string }> = {
  goToDefinition: { method: 'textDocument/definition', capability: 'definitionProvider' },
  findReferences: { method: 'textDocument/references', capability: 'referencesProvider' },
  goToImplementation: { method: 'textDocument/implementation', capability: 'implementationProvider' },
  hover: { method: 'textDocument/hover', capability: 'hoverProvider' },
};

/** The protocol's method of an operation; throws `LSP_UNSUPPORTED_OPERATION` where the server has none. */
export function methodOf(
  operation: LspOperation,
  server: { id: string; capabilities: ServerCapabilities; registered: ReadonlySet<string> },
): string {
  const { method, capability } = OPERATIONS[operation];
  if (!syncs(server.capabilities)) throw unsupported(server.id, 'open and close documents');
  if (server.capabilities[capability] || server.registered.has(method)) return method;
  throw unsupported(server.id, operation);
}

/** Numbers are how older servers say it: none, full, incremental. */
function syncs({ textDocumentSync: sync }: ServerCapabilities): boolean {
  if (typeof sync === 'number') return sync === 1 || sync === 2;
  return sync?.openClose === true;
}

const unsupported = (id: string, what: string): ToolError =>
  new ToolError('LSP_UNSUPPORTED_OPERATION', `language server "${id}" does not support this: ${what}`);

/** What the request of an operation carries. */
export function paramsOf(operation: LspOperation, uri: string, position: { line: number; character: number }): object {
  return {
    textDocument: { uri },
    position,
    ...(operation === 'findReferences' && { context: { includeDeclaration: true } }),
  };
}
