import type { HostId } from '@everturn/core/domain';
import type { ToolHome } from '../../contract/index.ts';
import { assignHost } from '../proxies.ts';
import { stepRef, type StepState } from './step-state.ts';

export type Place =
  | { kind: 'any' }
  | { kind: 'host'; host: HostId; epoch: number }
  | { kind: 'nowhere'; reason: string };

/** Where a call's body runs: tools that act on a machine go to the session's host, bound at its first such call. */
export async function placeCall(step: StepState, home: ToolHome): Promise<Place> {
  if (home !== 'host') return { kind: 'any' };
  const { cwd, host } = step.assembly;
  if (host) return { kind: 'host', ...host };
  const assigned = await assignHost({ ...stepRef(step.input), ...(cwd !== undefined && { cwd }) });
  if (assigned.kind === 'none') return { kind: 'nowhere', reason: assigned.reason };
  const found = { host: assigned.host, epoch: assigned.epoch };
  step.assembly = { ...step.assembly, host: found };
  return { kind: 'host', ...found };
}

/** Nobody took the call from the host's queue in time: forget the binding, so that the next try asks again. */
export function forgetHost(step: StepState): void {
  const { host: _gone, ...assembly } = step.assembly;
  step.assembly = assembly;
}
