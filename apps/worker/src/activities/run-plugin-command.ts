import { Context } from '@temporalio/activity';
import { CommandResult, type JsonValue } from '@everturn/core/domain';
import { commandClaim, recorded, type CommandActivities, type RunCommandInput } from '../contract/index.ts';
import { runCommand } from '../plugins/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { choiceOf } from './context/session-view.ts';
import { failingAs } from './failure.ts';

const UNKNOWN: CommandResult = {
  kind: 'error',
  text: 'the worker that ran the command was lost: nobody knows what it did',
};

/** Runs a command of a plugin, at most once. */
export function runPluginCommandActivity(deps: ActivityDeps): CommandActivities['runPluginCommand'] {
  return (input) =>
    failingAs(async () => {
      const { outcome } = await deps.effects.run<JsonValue>({
        ...input,
        claim: commandClaim(input.commandId),
        turn: 0,
        step: 0,
        label: `/${input.name}`,
        perform: async ({ signal }) => ({ kind: 'settled', outcome: recorded(await perform(deps, input, signal)) }),
        afterLapse: () => recorded(UNKNOWN),
        closed: () => recorded(UNKNOWN),
      });
      return outcome as unknown as CommandResult; // what this claim holds is an answer of ours
    });
}

async function perform(deps: ActivityDeps, input: RunCommandInput, stopped: AbortSignal): Promise<CommandResult> {
  const { tenant, session, name } = input;
  const { options } = await deps.facts.read(input);
  const command = deps.registry.view(input, choiceOf(options, deps)).commands.get(name);
  if (!command) return { kind: 'error', text: `no plugin of this worker has the command "/${name}"` };
  const limit = AbortSignal.timeout(deps.listenerTimeoutMs);
  const signal = AbortSignal.any([stopped, Context.current().cancellationSignal, limit]);
  const initiator = Object.freeze({ tenant, session, turn: 0, step: 0 });
  const aborted = new Promise<CommandResult>((resolve) =>
    signal.addEventListener('abort', () => resolve({ kind: 'error', text: 'the command was stopped' }), { once: true }),
  );
  const given = await Promise.race([runCommand(command, input.input, { initiator, signal }), aborted]);
  const result = CommandResult.safeParse(JSON.parse(JSON.stringify(given ?? null)));
  return result.success ? result.data : { kind: 'error', text: `the command "/${name}" answered nonsense` };
}
