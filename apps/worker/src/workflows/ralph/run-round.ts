import { uuid4 } from '@temporalio/workflow';
import type { SessionId } from '@everturn/core/domain';
import type { EndRoundInput, EndRoundResult, PrepareRoundInput } from '../../contract/index.ts';
import { endRound, prepareRound } from '../proxies.ts';
import { runChild } from '../step/run-child.ts';
import { stepRef } from '../step/step-state.ts';
import { agentEnded, agentStarted } from './loop-log.ts';
import { describeLoop } from './loop-details.ts';
import type { LoopState } from './loop-state.ts';

/** One round: an agent of its own from beginning to end, and the judgement of its report. */
export async function runRound(loop: LoopState): Promise<EndRoundResult> {
  const { writer, input } = loop;
  const round = loop.rounds + 1;
  const child = `sub-${uuid4()}` as SessionId;
  const worked = await work(loop, round, child);
  const { maxRounds, maxHandoffChars, maxResultChars } = input.request;
  const question: Omit<EndRoundInput, 'commit'> = {
    ...roundRef(loop, round),
    limits: { maxRounds, maxHandoffChars, maxResultChars },
    ...worked,
  };
  const ended = await writer.carry((commit) => endRound({ ...question, commit }));
  if (worked.began) agentEnded(loop, round, ended.agent);
  loop.rounds = round;
  loop.seen += 1;
  loop.previous = child;
  return ended;
}

type Worked = Pick<EndRoundInput, 'child' | 'cancelled' | 'failure'> & { began?: true };

async function work(loop: LoopState, round: number, child: SessionId): Promise<Worked> {
  const { writer, stop, input, permissions } = loop;
  if (stop.requested) return { cancelled: true };
  describeLoop(loop, { round, child });
  agentStarted(loop, round, child);
  const task: Omit<PrepareRoundInput, 'commit'> = {
    ...roundRef(loop, round),
    request: input.request,
    child,
    config: input.config,
    ...(permissions.now && { sandbox: permissions.now.sandbox }),
  };
  const prepared = await writer.carry((commit) => prepareRound({ ...task, commit }));
  if (prepared.kind === 'refused') return { cancelled: false, failure: prepared.message, began: true };
  const { preview, searchAttributes } = prepared;
  const ended = await runChild(loop, { child, mode: 'one-shot', preview, searchAttributes });
  return { child, ...ended, began: true };
}

function roundRef({ input, previous }: LoopState, round: number) {
  return { ...stepRef(input), round, ...(previous && { previous }) };
}
