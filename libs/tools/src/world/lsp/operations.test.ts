import { expect, test } from 'vitest';
import { methodOf, type ServerCapabilities } from './operations.ts';

const both = { definitionProvider: true, hoverProvider: {} };
const ask = (capabilities: ServerCapabilities, registered: string[] = []) =>
  methodOf('hover', { id: 'demo', capabilities, registered: new Set(registered) });

test.each([
  [{ ...both, textDocumentSync: 1 }],
  [{ ...both, textDocumentSync: 2 }],
  [{ ...both, textDocumentSync: { openClose: true } }],
])('a server that can do %j is asked', (capabilities) => {
  expect(ask(capabilities)).toBe('textDocument/hover');
});

test('a capability may be registered later', () => {
  expect(ask({ textDocumentSync: 1 }, ['textDocument/hover'])).toBe('textDocument/hover');
});

test.each([
  [{ ...both, textDocumentSync: { openClose: false } }],
  [{ ...both, textDocumentSync: {} }],
  [{ ...both, textDocumentSync: 0 }],
  [both],
  [{ ...both, hoverProvider: false, textDocumentSync: 1 }],
  [{ definitionProvider: true, textDocumentSync: 2 }],
])('a server that can do %j is not', (capabilities) => {
  expect(() => ask(capabilities)).toThrow(expect.objectContaining({ code: 'LSP_UNSUPPORTED_OPERATION' }) as Error);
});
