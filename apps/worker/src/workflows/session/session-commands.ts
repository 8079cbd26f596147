import { condition } from '@temporalio/workflow';
import type { CommandResult } from '@everturn/core/domain';
import type { CommandReceipt, RunCommand } from '@everturn/core/protocol';
import type { OrchestratedEvent } from '@everturn/tools/kit';
import { runPluginCommand } from '../proxies.ts';
import { Stop } from '../shared/stop.ts';
import { sessionCommands, type CommandOutcome } from './commands/index.ts';
import { record } from './session-records.ts';
import { sessionRef, type SessionState } from './session-state.ts';

/** Runs a command of ours at once; one of a plugin, and any before the log is open, as soon as it can be. */
export function takeCommand(session: SessionState, command: RunCommand): CommandReceipt {
  const own = session.opened ? runOwn(session, command) : undefined;
  if (own) return { commandId: command.requestId, result: own };
  session.commands.push(command);
  return { commandId: command.requestId };
}

/** The log has both ends of a command and what it did in between, together. */
function runOwn(session: SessionState, command: RunCommand): CommandResult | undefined {
  const { requestId, name, given } = command;
  const outcome: CommandOutcome | undefined = given
    ? { result: given }
    : sessionCommands.get(name)?.run(session, command);
  if (!outcome) return undefined;
  const { result, events = [] } = outcome;
  record(session, {
    requestId,
    trigger: { kind: 'command' },
    events: [begin(command), ...events, end(command, result)],
  });
  return result;
}

/** Runs what waits, one after another, while turns run and between them. */
export async function runCommands(session: SessionState): Promise<void> {
  for (;;) {
    await condition(() => session.opened && session.commands.length > 0);
    const [command] = session.commands as [RunCommand];
    if (session.closing) finish(session, command, { kind: 'error', text: 'the session was closed first' });
    else if (!runOwn(session, command)) await runOfPlugin(session, command);
    session.commands.shift();
  }
}

async function runOfPlugin(session: SessionState, command: RunCommand): Promise<void> {
  const { requestId, name, input } = command;
  const { tenant, session: id, generation } = sessionRef(session);
  record(session, {
    requestId: `${requestId}.run` as typeof requestId,
    trigger: { kind: 'command' },
    events: [begin(command)],
  });
  session.commandStop = new Stop();
  const effect = await session.commandStop.effect(() =>
    runPluginCommand({ tenant, session: id, generation, commandId: requestId, name, input }),
  );
  delete session.commandStop;
  const stopped: CommandResult = { kind: 'error', text: 'the command was stopped' };
  finish(session, command, effect.kind === 'returned' ? effect.value : stopped, 'begun');
}

function finish(
  session: SessionState,
  command: RunCommand,
  result: CommandResult,
  state: 'new' | 'begun' = 'new',
): void {
  const events = [...(state === 'new' ? [begin(command)] : []), end(command, result)];
  record(session, { requestId: command.requestId, trigger: { kind: 'command' }, events });
}

const begin = ({ requestId, name, input, source }: RunCommand): OrchestratedEvent => ({
  type: 'command/run',
  data: { commandId: requestId, name, ...(input !== '' && { args: input }), source },
});

const end = ({ requestId }: RunCommand, result: CommandResult): OrchestratedEvent => ({
  type: 'command/done',
  data: { commandId: requestId, ...result },
});
