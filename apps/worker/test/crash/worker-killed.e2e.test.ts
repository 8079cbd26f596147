import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from '../support/expect-sound.ts';
import { logLines, resultText } from '../support/log-lines.ts';
import { bash, callsThenDone, requestsTo, scripted } from '../support/model-scripts.ts';
import { startStack, type Stack } from '../support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

test('killed while the model streams: chunks stay, a new step asks again, readers miss nothing', async () => {
  let asked = 0;
  const options = scripted(stack, 'streaming', () => {
    asked += 1;
    return asked === 1
      ? { text: ['one ', 'two ', 'three'], hold: { gate: 'streaming', afterDeltas: 2 } }
      : { text: 'fine' };
  });
  const session = await stack.api.create(options);
  const followed = stack.api.follow(session, (events) => events.at(-1)?.type === 'turn/end');
  await stack.api.prompt(session, 'go');
  await stack.model.held('streaming');
  await stack.api.until(session, 'a chunk', (events) => events.some(({ type }) => type === 'assistant/chunk'));
  await stack.worker().kill9();
  await stack.startWorker();
  const events = await stack.api.turnEnded(session);
  expect(logLines(events)).toEqual([
    'turn/start',
    'user/message',
    'step/start',
    'request/header',
    'step/end',
    'llm/retry TRANSPORT',
    'step/start',
    'assistant/message',
    'step/end',
    'turn/end completed',
  ]);
  expect(await followed).toEqual(events);
  await expectSound(stack, session);
});

test('killed while bash runs: its processes die, the outcome is unknown, the turn goes on', async () => {
  const mark = join(stack.workspace, 'bash-ran');
  const beat = join(stack.workspace, 'bash-beats');
  const command = `echo x >> ${mark}; trap '' TERM; (while :; do date +%s%N > ${beat}; sleep 0.1; done) & sleep 600`;
  const session = await stack.api.create(scripted(stack, 'bashing', callsThenDone(bash(command, 600_000))));
  await stack.api.prompt(session, 'go');
  await waitFor(() => existsSync(beat), { what: 'bash to run' });
  await stack.worker().kill9();
  await stack.startWorker();
  const events = await stack.api.turnEnded(session);
  expect(logLines(events).filter((line) => line.startsWith('tool/'))).toEqual([
    'tool/call call_1_1',
    'tool/result call_1_1 TOOL_OUTCOME_UNKNOWN',
  ]);
  expect(logLines(events).at(-1)).toBe('turn/end completed');
  expect(readFileSync(mark, 'utf8')).toBe('x\n');
  const unknown = await stack.api.call('GET', `/v1/sessions/${session}/effects?state=unknown`);
  expect(unknown.body).toMatchObject({ effects: [{ key: 't1.s1.c0', label: 'bash' }] });
  let last = '';
  await waitFor(
    () => {
      const now = readFileSync(beat, 'utf8');
      const still = now === last;
      last = now;
      return still;
    },
    { what: 'the process group to be gone', everyMs: 500 },
  );
  await expectSound(stack, session);
});

test('killed with one of two calls done: the done one keeps its result, the next request is well formed', async () => {
  const mark = join(stack.workspace, 'done-once');
  const session = await stack.api.create(
    scripted(stack, 'two-calls', callsThenDone(bash(`echo x >> ${mark}; echo first`), bash('sleep 600', 600_000))),
  );
  await stack.api.prompt(session, 'go');
  await stack.api.until(session, 'the second call', (events) =>
    events.some((event) => event.type === 'tool/call' && event.data.callId === 'call_1_2'),
  );
  await stack.worker().kill9();
  await stack.api.prompt(session, 'hello');
  await stack.startWorker();
  const events = await stack.api.turnEnded(session, 2);
  expect(resultText(events, 'call_1_1')).toBe('first\n');
  expect(logLines(events).filter((line) => line.startsWith('tool/result'))).toEqual([
    'tool/result call_1_1 ok',
    'tool/result call_1_2 TOOL_OUTCOME_UNKNOWN',
  ]);
  expect(readFileSync(mark, 'utf8')).toBe('x\n');
  expect(requestsTo(stack, 'two-calls')).toBe(3);
  await expectSound(stack, session);
});

test('killed while it writes the log: that is missed by its heartbeat, not half a minute later', async () => {
  const session = await stack.api.create(scripted(stack, 'writing', () => ({ text: 'done' })));
  await stack.api.prompt(session, 'go');
  await stack.api.turnEnded(session);
  await stack.database.transaction().execute(async (transaction) => {
    await sql`select from log_heads where session_id = ${session} for update`.execute(transaction);
    await stack.api.call('POST', `/v1/sessions/${session}/inject`, { content: 'a note' });
    await waitFor(
      async () => {
        const { rows } = await sql`
          select from pg_stat_activity where application_name = 'everturn-worker' and wait_event_type = 'Lock'
            and datname = current_database()`.execute(stack.database);
        return rows.length > 0;
      },
      { what: 'a commit to wait for the lock' },
    );
    await stack.worker().kill9();
  });
  await stack.startWorker();
  expect(logLines(await stack.api.turnEnded(session, 2)).at(-1)).toBe('turn/end completed');
  // The database may end what the dead worker began, before Temporal misses its word.
  const missed = await waitFor(
    async () => {
      const { events } = await stack.client.workflow.getHandle(`session:${session}`).fetchHistory();
      const kinds = (events ?? []).flatMap(
        ({ activityTaskStartedEventAttributes: started }) =>
          started?.lastFailure?.timeoutFailureInfo?.timeoutType ?? [],
      );
      return kinds.length > 0 && kinds;
    },
    { what: 'the activity to be tried again' },
  );
  expect(missed).toEqual([HEARTBEAT]);
  await expectSound(stack, session);
});

/** As `TimeoutType` of Temporal's API numbers it. */
const HEARTBEAT = 4;

test('stopped in good order while bash runs: nothing is lost, the session goes on with the next worker', async () => {
  const session = await stack.api.create(
    scripted(stack, 'graceful', callsThenDone(bash('sleep 2; echo finished', 60_000))),
  );
  await stack.api.prompt(session, 'go');
  await stack.api.until(session, 'the call', (events) => events.some(({ type }) => type === 'tool/call'));
  await stack.worker().stop();
  await stack.startWorker();
  const events = await stack.api.turnEnded(session);
  expect(resultText(events, 'call_1_1')).toBe('finished\n');
  await expectSound(stack, session);
});
