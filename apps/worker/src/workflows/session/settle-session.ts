import { getExternalWorkflowHandle, patched } from '@temporalio/workflow';
import { standing, type ChildStop, type RequestId } from '@everturn/core/domain';
import { sessionWorkflowId, type ChildSettled } from '@everturn/core/protocol';
import { acceptNotices, describeEnd } from '../proxies.ts';
import { announceAgent } from '../shared/announce-agent.ts';
import { showIdle } from './session-rows.ts';
import { sessionRef, type SessionState } from './session-state.ts';

/** Whether an agent that stays with another has nothing left to do and has not said so. */
export function settleDue(session: SessionState): boolean {
  const { activation, running, queue, injected, settlements, children, callsUp } = session;
  if (!activation || session.closing || callsUp > 0) return false;
  const unread = waiting(session) + queue.steering.length + injected.length + settlements.length;
  const facts = { activation, unread, children: Object.keys(children).length } as const;
  return standing({ ...facts, agent: running ? 'busy' : 'idle' }) === 'due';
}

/** What a park holds waits for somebody to write again, which nobody may. */
const waiting = ({ parked, queue }: SessionState): number =>
  parked && queue.queued.length > 0 && patched('parked-is-no-work') ? 0 : queue.queued.length;

/** Tells the owner that the agent is done, unless something comes while it looks at how it ended. */
export async function settleSession(session: SessionState): Promise<void> {
  const { owner } = session.input;
  if (!owner || !session.activation) return;
  await showIdle(session);
  const { notice, stop } = await describeEnd({
    ...sessionRef(session),
    owner: owner.session,
    epoch: session.activation.epoch,
  });
  if (!settleDue(session)) return;
  // In one piece with the look above: what comes from now on belongs to the next activation.
  const messages = [...new Set([...session.activation.taken, ...session.dealtWith])];
  session.dealtWith = [];
  session.activation = { ...session.activation, state: 'settled' };
  announceSettled(session, stop);
  await tellOwner(session, { messages, notice });
}

/** The last word of an agent that stays with another; where it had not said that it was done, it tells how far it came. */
export async function sayGoodbye(session: SessionState): Promise<void> {
  const { activation, input } = session;
  if (input.owner?.mode !== 'continuable' || !activation) return;
  const untold =
    activation.state === 'running' && (session.closedBy !== 'owner' || patched('goodbye-to-a-closing-owner'));
  const epoch = { owner: input.owner.session, epoch: activation.epoch };
  const told = untold ? await describeEnd({ ...sessionRef(session), ...epoch }) : undefined;
  announceSettled(session, told?.stop ?? 'aborted');
  await tellOwner(session, { messages: 'all', closed: true, ...(told && { notice: told.notice }) });
}

/** An owner that does not run finds the notice when it does; one that has closed needs none. */
async function tellOwner(
  session: SessionState,
  word: Omit<ChildSettled, 'child' | 'messages'> & { messages: RequestId[] | 'all' },
): Promise<void> {
  const { owner, session: child } = session.input;
  if (!owner) return;
  const tell = (): Promise<'told' | 'gone'> =>
    getExternalWorkflowHandle(sessionWorkflowId(owner.session))
      .signal<[ChildSettled]>('childSettled', { child, ...word })
      .then(
        () => 'told',
        () => 'gone',
      );
  if ((await tell()) === 'told' || !word.notice || !patched('notice-for-later')) return;
  await acceptNotices({ ...sessionRef(session), session: owner.session, entries: [word.notice], absent: true });
  // A life that began meanwhile may have looked before the notice was there.
  await tell();
}

/** Tells whoever listens that an agent that stays has begun to work, once for each of its activations. */
export function announceActivation(session: SessionState): void {
  const { owner, session: child, tenant } = session.input;
  const { activation } = session;
  if (!owner || !activation || session.announced === activation.epoch) return;
  session.announced = activation.epoch;
  announceAgent({ tenant, session: owner.session }, { child, mode: owner.mode, epoch: activation.epoch });
}

function announceSettled(session: SessionState, stop: ChildStop): void {
  const { owner, session: child, tenant } = session.input;
  const { announced } = session;
  if (!owner || announced === undefined) return;
  delete session.announced;
  announceAgent({ tenant, session: owner.session }, { child, mode: owner.mode, epoch: announced }, stop);
}
