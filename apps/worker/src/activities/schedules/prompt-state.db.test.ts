import { afterAll, beforeAll, expect, test } from 'vitest';
import { text, type AuthoredEvent, type MessageEntry, type RequestId } from '@everturn/core/domain';
import { acceptPrompt, readPrompt } from '@everturn/core/postgres';
import { commit, recover } from '../../projection/index.ts';
import {
  author,
  closeTestProjection,
  newSession,
  openTestProjection,
  source,
  type TestSession,
} from '../../projection/test/test-session.ts';
import { promptState } from './prompt-state.ts';

beforeAll(openTestProjection);
afterAll(closeTestProjection);

const promptId = 'schedule.1' as RequestId;
const entry: MessageEntry = { requestId: promptId, kind: 'prompt', content: [text('go')], source, preview: 'go' };

/** A session that a firing has written to, and what the firing asks; `gone`: its workflow was ended from outside. */
async function fired() {
  const session = await newSession();
  const { database } = session.projection;
  const { tenant, session: id } = session.ref;
  await acceptPrompt(database, { tenant, session: id, mode: 'send', entry });
  const sent: string[] = [];
  const state = (life: 'runs' | 'gone', more: { withdrawn?: true } = {}) =>
    promptState(
      {
        database,
        send: async (_to, { requestId }) => void sent.push(requestId),
        courier: { endedFromOutside: async () => (life === 'gone' ? { runId: 'r', status: 'TERMINATED' } : undefined) },
      },
      { tenant, session: id, promptId, ...more },
    );
  const row = async () => (await readPrompt(database, { tenant, session: id, promptId }))?.state;
  return { ...session, sent, state, rowState: row };
}

/** Its message begins turn 1, which lets it in or has not come so far. */
async function begin({ projection, ref }: TestSession, message: 'written' | 'claimed' = 'written'): Promise<void> {
  const write = author('t1');
  const start = write('turn/start', { turn: 1, trigger: { kind: 'message', source } });
  const said = write('user/message', { content: [text('go')], source }, 0, { surfaceOp: 'append' });
  const events: AuthoredEvent[] = message === 'written' ? [start, said] : [start];
  const rows = { prompts: [{ promptId, state: 'claimed' as const, turn: 1 }], at: 0 };
  await commit(projection, { ...ref, commit: { events, highestAcknowledged: -1, rows } });
}

test('a turn that was recovered is over, though the row of its message does not say so', async () => {
  const firing = await fired();
  await begin(firing);
  expect(await firing.state('runs')).toBe('waiting');
  await recover(firing.projection, { ...firing.ref, turn: 1, cause: 'terminated', runId: 'run-1' });
  expect(await firing.rowState()).toBe('claimed');
  expect(await firing.state('runs')).toBe('done');
});

test('a message that its turn died over before it let it in is tried again', async () => {
  const firing = await fired();
  await begin(firing, 'claimed');
  await recover(firing.projection, { ...firing.ref, turn: 1, cause: 'terminated', runId: 'run-1' });
  expect([await firing.state('runs'), firing.sent]).toEqual(['waiting', []]);
  expect([await firing.state('gone'), firing.sent]).toEqual(['waiting', [promptId]]);
});

test('where the session is gone a message that waits is sent again, unless it was taken back; one whose turn ran is over', async () => {
  const waits = await fired();
  expect([await waits.state('runs'), waits.sent]).toEqual(['waiting', []]);
  expect([await waits.state('gone'), waits.sent]).toEqual(['waiting', [promptId]]);
  expect([await waits.state('gone', { withdrawn: true }), waits.sent]).toEqual(['discarded', [promptId]]);
  expect(await waits.rowState()).toBe('discarded');
  const ran = await fired();
  await begin(ran);
  expect([await ran.state('gone'), ran.sent]).toEqual(['done', []]);
});

test.each(['closed', 'broken'] as const)(
  'a session that is %s takes no message: the firing gives it up',
  async (status) => {
    const firing = await fired();
    const rows = { status, at: 0 };
    await commit(firing.projection, { ...firing.ref, commit: { events: [], highestAcknowledged: -1, rows } });
    expect([await firing.state('gone'), firing.sent, await firing.rowState()]).toEqual(['discarded', [], 'discarded']);
  },
);
