import { resolve } from 'node:path';
import { text } from '@everturn/core/domain';
import { implementTool, openTerminal, terminalText, utf8Head, utf8Length } from '../kit/index.ts';
import { terminalOpen } from './schema.ts';

/** A shell in a terminal of its own, at its first prompt. */
export const executeTerminalOpen = implementTool(terminalOpen, async (args, context) => {
  const { type, name, cwd } = args;
  if (type.trim() === '') throw new Error('type must be a non-empty string');
  if (name?.trim() === '') throw new Error('name must be a non-empty string');
  if (cwd?.includes('\0')) throw new Error('cwd must not contain NUL characters');
  const folder = resolve(context.cwd, cwd ?? '.');
  const entry = await openTerminal(context, { type, cwd: folder, ...(name !== undefined && { name }) });
  const { id, terminal } = entry;
  const startup = terminal.startup.trim() === '' ? '(no startup output)' : terminal.startup.trimEnd();
  const { maxResultBytes } = context.settings.terminal;
  const label = name === undefined ? '' : ` (${utf8Head(name, Math.floor(maxResultBytes / 2))})`;
  const head = `started terminal session ${id}${label} [type: ${type}]\n`;
  const told = head + terminalText({ content: startup, maxBytes: maxResultBytes - utf8Length(head) });
  return {
    content: [text(utf8Head(told, maxResultBytes))],
    value: { sessionId: id, type, startup: terminal.startup },
  };
});
