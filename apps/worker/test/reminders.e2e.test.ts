import { afterAll, beforeAll, expect, test } from 'vitest';
import { reminderWorkflowId } from '@everturn/core/protocol';
import type { ReminderId, SessionEvent, SessionId } from '@everturn/core/domain';
import type { RequestView, ScriptAnswer } from '@everturn/core/providers';
import { waitFor } from '@everturn/core/testing';
import { sql } from 'kysely';
import { expectSound } from './support/expect-sound.ts';
import { logLines, resultText } from './support/log-lines.ts';
import { scripted } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const remind = (prompt: string, when: object) => ({ name: 'schedule_create', arguments: { prompt, ...when } });
const post = (session: string, body: object) =>
  stack.api.call<{ reminder?: { id: string } }>('POST', `/v1/sessions/${session}/reminders`, body);
const listed = async (session: string) =>
  (await stack.api.call<{ reminders: { id: string; state: string }[] }>('GET', `/v1/sessions/${session}/reminders`))
    .body.reminders;

/** What reminders said, a text for each turn they began. */
const reminders = (events: readonly SessionEvent[]): string[] =>
  events.flatMap(({ type, data }) =>
    type === 'user/message' && data.source.kind === 'plugin' && data.source.plugin === 'schedule'
      ? data.content.map((block) => (block.type === 'text' ? block.text : block.type))
      : [],
  );
/** The reminders of each turn, as their messages name them. */
const idsOf = (texts: readonly string[]): string[][] =>
  texts.map((text) =>
    [...text.matchAll(/(?:schedule_id_json: |"schedule_id":)"(schedule-\d+)"/g)].map(([, id]) => String(id)),
  );

const quiet = (stackNow: Stack, name: string) =>
  stackNow.api.create(scripted(stackNow, name, () => ({ text: 'noted' })));

test.concurrent('a model sets reminders, and the one that is due comes back in a turn of its own', async () => {
  const script = ({ lastUser, steps }: RequestView): ScriptAnswer => {
    if (lastUser === 'go' && steps.length === 0)
      return {
        toolCalls: [
          remind('tea', { after_seconds: 1 }),
          remind('rent', { every_seconds: 300 }),
          remind('moon', { at: { date: '2026-03-29', time: '02:30', time_zone: 'Europe/Berlin' } }),
          { name: 'schedule_list', arguments: {} },
          { name: 'schedule_delete', arguments: { id: 'schedule-2' } },
        ],
      };
    if (lastUser.startsWith('[SCHEDULE') && steps.length === 0)
      return { toolCalls: [{ name: 'schedule_delete', arguments: { id: 'schedule-1' } }] };
    return { text: 'done' };
  };
  const session = await stack.api.create(scripted(stack, 'sets-reminders', script));
  await stack.api.prompt(session, 'go');
  const first = await stack.api.turnEnded(session);
  const answer = (call: string, events: SessionEvent[] = first): unknown => JSON.parse(resultText(events, call));
  expect(answer('call_1_1')).toMatchObject({ id: 'schedule-1', kind: 'after', afterSeconds: 1, state: 'scheduled' });
  expect(answer('call_1_3')).toMatchObject({ code: 'invalid_rule' });
  expect(answer('call_1_4')).toMatchObject([{ id: 'schedule-1' }, { id: 'schedule-2', everySeconds: 300 }]);
  expect(answer('call_1_5')).toEqual({ id: 'schedule-2', deleted: true });
  expect(logLines(first).slice(3, 10)).toEqual([
    'request/header',
    'assistant/message',
    'tool/call call_1_1',
    'schedule/change',
    'tool/result call_1_1 ok',
    'tool/call call_1_2',
    'schedule/change',
  ]);
  const both = await stack.api.turnEnded(session, 2);
  expect(idsOf(reminders(both))).toEqual([['schedule-1']]);
  const last = both.findLast((event) => event.type === 'tool/result')?.data.callId ?? '';
  expect(answer(last, both.slice(first.length))).toEqual({
    id: 'schedule-1',
    deleted: false,
    code: 'schedule_not_found',
  });
  expect(logLines(both.slice(first.length)).slice(0, 3)).toEqual(['turn/start', 'user/message', 'schedule/change']);
  await expectSound(stack, session);
});

test.concurrent('what was due while a session was closed comes when it is resumed: one by one, then the recurring ones together', async () => {
  const session = await quiet(stack, 'closed-meanwhile');
  const rules = [
    { everySeconds: 300 },
    { afterSeconds: 40 },
    { everySeconds: 600 },
    { afterSeconds: 30 },
    { everySeconds: 900 },
  ];
  for (const rule of rules) await post(session, { prompt: 'due', ...rule });
  await waitFor(async () => (await listed(session)).length === rules.length, { what: 'all to be in the log' });
  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  const stateIs = (state: string) => async () =>
    (await stack.api.call('GET', `/v1/sessions/${session}`)).body['status'] === state;
  await waitFor(stateIs('closed'), { what: 'the session to close' });
  // An hour and a half passes.
  const passed = 5_400_000;
  const created = Date.now();
  await sql`
    update session_events set data = regexp_replace(data, '"scheduledAt":"[^"]*"', '"scheduledAt":"' ||
      to_char((data::jsonb #>> '{schedule,scheduledAt}')::timestamptz at time zone 'UTC' - ${passed} * interval '1 ms',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"')
    where session_id = ${session} and type = 'schedule/change'`.execute(stack.database);
  expect((await listed(session)).every(({ state }) => state === 'overdue')).toBe(true);
  await stack.api.call('POST', `/v1/sessions/${session}/resume`);
  const events = await stack.api.until(session, 'three deliveries', (all) =>
    reminders(all).length >= 3 && all.at(-1)?.type === 'turn/end' ? all : undefined,
  );
  const texts = reminders(events);
  expect(idsOf(texts)).toEqual([['schedule-4'], ['schedule-2'], ['schedule-1', 'schedule-3', 'schedule-5']]);
  // Of eighteen missed slots only the latest.
  const [latest] = [...String(texts[2]).matchAll(/"occurrence_at":"([^"]+)"/g)].map(([, at]) => Date.parse(String(at)));
  expect(Date.now() - Number(latest)).toBeLessThan(300_000);
  expect(Number(latest)).toBeGreaterThan(created - 300_000);
  expect(await listed(session)).toMatchObject([{ state: 'scheduled' }, { state: 'scheduled' }, { state: 'scheduled' }]);
});

test.concurrent('clients set and delete reminders, also while a turn runs, and are told what is wrong', async () => {
  const session = await stack.api.create(
    scripted(stack, 'client-reminders', ({ lastUser }) =>
      lastUser === 'wait' ? { text: 'x', hold: 'client' } : { text: 'x' },
    ),
  );
  const refusals: [object, object][] = [
    [{ prompt: 'p' }, { code: 'INVALID_REQUEST' }],
    [{ prompt: ' ', afterSeconds: 1 }, { code: 'INVALID_REQUEST' }],
    [{ prompt: 'p', everySeconds: 299 }, { code: 'INVALID_REQUEST' }],
    [
      { prompt: 'p', at: '2020-01-01T00:00:00Z' },
      { code: 'REMINDER_REFUSED', message: expect.stringMatching(/^not_future/) },
    ],
    [
      { prompt: 'p', at: { date: '2027-01-01', time: '09:00', timeZone: 'CST' } },
      { code: 'INVALID_REQUEST', details: { refusal: 'invalid_time_zone' } },
    ],
  ];
  for (const [body, problem] of refusals) expect((await post(session, body)).body).toMatchObject(problem);
  await stack.api.prompt(session, 'wait');
  await stack.api.until(session, 'the step', (events) => events.some(({ type }) => type === 'step/start'));
  expect((await post(session, { prompt: 'p', at: '2999-01-01T00:00:00Z' })).body.reminder?.id).toBe('schedule-1');
  await stack.api.until(session, 'the change in the open turn', (events) => events.at(-1)?.type === 'schedule/change');
  stack.model.release('client');
  await stack.api.turnEnded(session);
  const path = `/v1/sessions/${session}/reminders/schedule-1`;
  expect((await stack.api.call('DELETE', path)).status).toBe(202);
  expect((await stack.api.call('DELETE', path)).body).toMatchObject({ code: 'REMINDER_NOT_FOUND' });
  await waitFor(async () => (await listed(session)).length === 0, { what: 'the deletion to be in the log' });
  await expectSound(stack, session);
});

test('a reminder that fires while no worker lives, and whose worker dies again as it is delivered, comes once', async () => {
  const session = await quiet(stack, 'no-worker');
  expect((await post(session, { prompt: 'wake up', afterSeconds: 2 })).body.reminder?.id).toBe('schedule-1');
  const clock = stack.client.workflow.getHandle(reminderWorkflowId(session as SessionId, 'schedule-1' as ReminderId));
  await waitFor(async () => (await clock.describe()).historyLength > 4, { what: 'its clock to run' });
  await stack.worker().kill9();
  const fired = async () =>
    (await clock.fetchHistory()).events?.some(({ timerFiredEventAttributes }) => timerFiredEventAttributes);
  await waitFor(fired, { what: 'the timer to fire', timeoutMs: 20_000 });
  await stack.startWorker();
  await stack.api.until(session, 'the delivery to begin', (events) => events.some(({ type }) => type === 'turn/start'));
  await stack.worker().kill9();
  await stack.startWorker();
  const events = await stack.api.until(session, 'the delivery', (all) =>
    all.filter(({ type }) => type === 'turn/end').length >= 2 ? all : undefined,
  );
  expect(idsOf(reminders(events))).toEqual([['schedule-1']]);
  expect(await listed(session)).toEqual([]);
  await expectSound(stack, session);
});
