import { text, type AuthoredEvent, type EpochHeader } from '@everturn/core/domain';
import { readEvents } from '@everturn/core/postgres';
import type { StreamModelInput } from '../../contract/index.ts';
import { commit } from '../../projection/index.ts';
import { author, newSession, source, type TestSession } from '../../projection/test/test-session.ts';
import type { ActivityDeps } from '../activity-deps.ts';

/** A session at the point where its first step is about to call the model. */
export interface TestStep extends TestSession {
  /** What `streamModel` is given, the step's first events included. */
  input: StreamModelInput;
}

/** Opens a turn with one user message. */
export async function atModelCall(
  deps: ActivityDeps,
  header: EpochHeader,
  message: StreamModelInput['message'] = 'append',
): Promise<TestStep> {
  const session = await newSession();
  const turn = author('t1');
  const step = author('t1.s1');
  const events = [
    turn('turn/start', { turn: 1, trigger: { kind: 'message', source } }),
    turn('user/message', { content: [text('hello')], source }, 0, { surfaceOp: 'append' }),
    step('step/start', { turn: 1, step: 1 }),
    step('request/header', { header, reason: 'initial' }),
  ] as AuthoredEvent[];
  const reference = await deps.values.store(session.ref.tenant, header);
  return {
    ...session,
    input: {
      ...session.ref,
      turn: 1,
      step: 1,
      header: reference,
      registry: deps.registry.version(session.ref),
      message,
      commit: { events, highestAcknowledged: -1 },
    },
  };
}

/** Opens a turn and a step and commits them, for activities that come after the model call. */
export async function insideStep(deps: ActivityDeps): Promise<TestSession> {
  const step = await atModelCall(deps, { config: { provider: 'scripted', model: 'test' } });
  await commit(deps.projection, step.input);
  return step;
}

/** The log's events, one line each, as readers see them. */
export async function logOf(session: TestSession): Promise<string[]> {
  const { events } = await readEvents(session.projection.database, { ...session.ref, from: 0, limit: 1_000 });
  return events.map(({ type }) => type);
}

/** Every event of a log. */
export async function eventsOf(session: TestSession) {
  return (await readEvents(session.projection.database, { ...session.ref, from: 0, limit: 1_000 })).events;
}
