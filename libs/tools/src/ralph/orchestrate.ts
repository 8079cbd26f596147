import { DelegationRow, orchestrateTool, requireText } from '../kit/index.ts';
import { ralph } from './schema.ts';

/** Checks what the model asked for, and has the loop run. */
export const orchestrateRalph = orchestrateTool(ralph, async (args, { ralph: loops, settings }) => {
  const objective = requireText('objective', args.objective).trim();
  const { subagentProvider: provider, maxRounds: most, defaultRounds, ...limits } = settings.ralph;
  const maxRounds = args.maxRounds ?? Math.min(defaultRounds, most);
  if (!Number.isSafeInteger(maxRounds) || maxRounds < 1 || maxRounds > most)
    throw new Error(`invalid maxRounds: expected a whole number from 1 to ${most}`);
  if (!loops) throw new Error('no agent calls, so none can work for it');
  const row = DelegationRow.parse({ provider, toolName: ralph.name });
  return { events: [], output: { settled: await loops.run({ objective, maxRounds, row, ...limits }) } };
});
