import { text } from '@everturn/core/domain';
import { implementTool, terminalEntries, terminalState, terminalText } from '../kit/index.ts';
import { terminalList } from './schema.ts';

/** Every terminal of the session and how it stands. */
export const executeTerminalList = implementTool(terminalList, async (_args, context) => {
  const terminals = terminalEntries(context).map(({ id, name, type, terminal }) => ({
    id,
    name: name ?? null,
    type,
    state: terminalState(terminal.exit),
    pid: terminal.pid,
  }));
  const lines = terminals.map(
    ({ id, name, type, state, pid }) => `${id}${name === null ? '' : ` (${name})`} [${type}] ${state} pid=${pid}`,
  );
  const content = lines.length === 0 ? '(no terminal sessions)' : lines.join('\n');
  const { maxResultBytes: maxBytes } = context.settings.terminal;
  return { content: [text(terminalText({ content, maxBytes }))], value: { terminals } };
});
