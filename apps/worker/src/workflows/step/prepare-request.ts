import { isDeepEqual } from '../shared/deep-equal.ts';
import type { StepOutcome } from '../../contract/index.ts';
import { askListeners } from '../shared/ask-listeners.ts';
import { assemble } from '../proxies.ts';
import { askerOf } from './step-asker.ts';
import { listens, stepRef, type StepState } from './step-state.ts';

/** Lets listeners change the sampling, and writes the header if one is owed. Returns why the request cannot be made. */
export async function prepareRequest(step: StepState): Promise<StepOutcome | undefined> {
  let owed = step.input.headerOwed;
  if (listens(step, 'agent/request')) {
    const before = step.assembly.digest;
    const refused = await chooseConfig(step);
    if (refused) return refused;
    if (step.assembly.digest !== before) owed ??= 'change';
  }
  if (owed) {
    step.writer.append('request/header', { header: step.assembly.header, reason: owed });
    step.headerLogged = true;
  }
  return undefined;
}

async function chooseConfig(step: StepState): Promise<StepOutcome | undefined> {
  const verdict = await askListeners(askerOf(step), { point: 'agent/request', config: step.assembly.config });
  if (verdict.kind === 'stopped') return undefined;
  if (verdict.kind === 'threw') return { ...verdict, kind: 'error' };
  const { config } = verdict.decision;
  if (isDeepEqual(config, step.assembly.config)) return undefined;
  const result = await step.writer.carry((commit) =>
    assemble({
      ...stepRef(step.input),
      config,
      prefix: step.assembly.prefix ?? [],
      news: 'skip',
      ...permissionsOf(step),
      ...planOf(step),
      commit,
    }),
  );
  if (result.kind === 'failed') return { kind: 'error', message: result.message, code: result.code };
  step.assembly = result.assembly;
  return undefined;
}

const permissionsOf = ({ permissions: { now } }: StepState) => (now ? { permissions: now } : {});

const planOf = ({ assembly }: StepState): { plan?: true } => (assembly.plan ? { plan: true } : {});
