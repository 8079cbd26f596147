import type { SandboxMode } from '@everturn/core/domain';
import { KEPT_SHELL } from './persistent-shell/kept-shell.ts';
import type { SessionResource } from './resources-port.ts';
import type { Terminal } from './terminals-port.ts';
import type { ToolCallContext, ToolRunContext } from './tool-context.ts';
import { ToolError } from './tool-error.ts';

const PREFIX = 'pty/';
const ROSTER = 'terminals';

/** Whether what a session keeps under this key is a terminal, or a shell in one. */
export const holdsTerminal = (key: string): boolean => key.startsWith(PREFIX) || key.startsWith(KEPT_SHELL);

/** A terminal as its session knows it. */
export class TerminalEntry implements SessionResource {
  readonly id: string;
  readonly name: string | undefined;
  readonly type: string;
  readonly terminal: Terminal;
  /** What it may do for as long as it is open. */
  readonly mode: SandboxMode;
  closing = false;

  constructor(input: Pick<TerminalEntry, 'id' | 'name' | 'type' | 'terminal' | 'mode'>) {
    this.id = input.id;
    this.name = input.name;
    this.type = input.type;
    this.terminal = input.terminal;
    this.mode = input.mode;
  }

  dispose(): Promise<void> {
    this.closing = true;
    return this.terminal.dispose();
  }
}

/** The terminals that are being opened, with their names. */
class Roster implements SessionResource {
  readonly opening = new Map<string, string | undefined>();

  async dispose(): Promise<void> {}
}

export interface OpenEntryInput {
  type: string;
  name?: string;
  /** Absolute. */
  cwd: string;
}

/** Opens a terminal for the session of a call; throws, leaving nothing, with what is wrong. */
export async function openTerminal(context: ToolRunContext, input: OpenEntryInput): Promise<TerminalEntry> {
  const { resources, ports, settings, initiator, managedEnvironment, sandbox: confine } = context;
  const { type, name, cwd } = input;
  if (!ports.terminals.backends.includes(type))
    throw new ToolError(
      'NO_BACKEND',
      `no PTY backend registered for "${type}"; there are: ${ports.terminals.backends.join(', ')}`,
    );
  const roster = (await resources.open(ROSTER, async () => new Roster())) as Roster;
  if (name !== undefined) refuseTakenName(context, roster, name);
  refuseOneTooMany(context, roster);
  const id = `pty-${resources.next('pty')}`;
  roster.opening.set(id, name);
  try {
    return await resources.open(PREFIX + id, async (ending) => {
      const signal = AbortSignal.any([context.signal, ending]);
      const place = { session: initiator.session, id, backend: type, cwd, environment: managedEnvironment };
      const terminal = await ports.terminals.open({ ...place, confine, settings: settings.terminal, signal });
      return new TerminalEntry({ id, name, type, terminal, mode: confine.mode });
    });
  } finally {
    roster.opening.delete(id);
  }
}

/** A terminal of the session by its id; throws `NO_SESSION`. */
export function findTerminal({ resources }: ToolCallContext, sessionId: string): TerminalEntry {
  if (sessionId.trim() === '') throw new Error('sessionId must be a non-empty string');
  const entry = resources.find(PREFIX + sessionId);
  if (entry instanceof TerminalEntry) return entry;
  const number = Number(/^pty-([1-9]\d*)$/.exec(sessionId)?.[1] ?? Infinity);
  const why = number <= resources.given('pty') ? ': it was closed, or ended with the worker that held it' : '';
  throw new ToolError('NO_SESSION', `unknown PTY session ${sessionId}${why}`);
}

/** A terminal to write to; one that may do other things than the session is refused. */
export function writableTerminal(context: ToolCallContext, sessionId: string): TerminalEntry {
  const entry = findTerminal(context, sessionId);
  const { mode } = context.sandbox;
  // A switch of mode is refused while terminals are open; this one was being opened at that very moment.
  if (entry.mode !== mode)
    throw new Error(
      `terminal session ${entry.id} was opened under ${entry.mode} mode and the session is in ${mode} mode now; close it and open another`,
    );
  return entry;
}

/** Every terminal of the session, in the order they were opened. */
export const terminalEntries = ({ resources }: ToolRunContext): TerminalEntry[] =>
  resources.entries(PREFIX).flatMap(([, entry]) => (entry instanceof TerminalEntry ? [entry] : []));

/** Ends a terminal and all it started; says whether somebody else was about to. */
export async function closeTerminal(context: ToolRunContext, entry: TerminalEntry): Promise<'closed' | 'was-closing'> {
  const was = entry.closing ? 'was-closing' : 'closed';
  await context.resources.close(PREFIX + entry.id);
  return was;
}

function refuseOneTooMany(context: ToolRunContext, { opening }: Roster): void {
  const { maxOpen } = context.settings.terminal;
  const held = new Set([...terminalEntries(context).map(({ id }) => id), ...opening.keys()]);
  if (held.size < maxOpen) return;
  throw new ToolError(
    'TOO_MANY_TERMINALS',
    `terminal limit reached for this session (limit: ${maxOpen}); end one with terminal_close`,
  );
}

function refuseTakenName(context: ToolRunContext, roster: Roster, name: string): void {
  if ([...roster.opening.values()].includes(name))
    throw new ToolError('DUPLICATE_NAME', `a PTY session named "${name}" is being created`);
  const holder = terminalEntries(context).find((entry) => entry.name === name);
  if (holder)
    throw new ToolError(
      'DUPLICATE_NAME',
      `a PTY session named "${name}" already exists: ${holder.id}. Use it, or another name`,
    );
}
