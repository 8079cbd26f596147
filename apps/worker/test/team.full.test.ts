import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from './support/expect-sound.ts';
import { inTurn } from './support/in-turn.ts';
import { logLines } from './support/log-lines.ts';
import { bash } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';
import {
  callOf,
  countOf,
  holdBirths,
  leadTeam,
  membersIn,
  obedient,
  results,
  tellLead,
  words,
} from './support/team-script.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const handle = (session: string) => stack.client.workflow.getHandle(`session:${session}`);
const waiting = (file: string) => bash(`while [ ! -e ${file} ]; do sleep 0.05; done`);

test('a lead that is terminated while a member is being made finishes it, and keeps board and roster', async () => {
  const session = await leadTeam(stack, 'ends', ({ who, last }) =>
    who === 'lead' ? obedient(last) : { text: `${who} is done` },
  );
  await tellLead(stack, session, 'task first');
  await holdBirths(stack.database, session, async () => {
    await stack.api.prompt(session, 'DO make bob fork');
    await stack.api.until(session, 'word of it', (log) => membersIn(log)['bob']?.phase === 'provisioning');
    await handle(session).terminate('test');
  });
  const born = async () => {
    const { body } = await stack.api.call<{ sessions: { id: string }[] }>('GET', `/v1/sessions/${session}/children`);
    return body.sessions.map(({ id }) => id);
  };
  await waitFor(async () => (await born()).length === 1, { what: 'the row of the member' });
  await stack.api.call('POST', `/v1/sessions/${session}/resume`, {});
  const log = await stack.api.until(session, 'the member', (events) =>
    membersIn(events)['bob']?.phase === 'active' ? events : undefined,
  );
  const { id = '' } = membersIn(log)['bob'] ?? {};
  expect(await born()).toEqual([id]);
  await stack.api.until(session, 'its last words', (events) => words(events).includes('bob is done'));
  const seen = await tellLead(stack, session, 'look');
  expect(results(seen, 'team_task_list').at(-1)).toContain('"id":"task-1"');
  expect(results(seen, 'list_agents').at(-1)).toContain('"target":"bob"');
  expect(results(await tellLead(stack, session, 'make bob again'), 'spawn_teammate').at(-1)).toContain(
    'was given before',
  );

  // A fork of the lead is another lead, with nobody.
  const { body } = await stack.api.call('POST', `/v1/sessions/${session}/fork`, {});
  const team = await stack.api.call<{ members: object[]; tasks: object[] }>(
    'GET',
    `/v1/sessions/${String(body['id'])}/team`,
  );
  expect([team.body.members.length, team.body.tasks]).toEqual([1, []]);
  await Promise.all([expectSound(stack, session), expectSound(stack, id)]);
});

test('a fresh history of the lead has the same team, and whoever waits for it still does', async () => {
  const go = join(stack.workspace, 'fresh-history');
  const session = await leadTeam(stack, 'fresh', ({ who, done, last }) => {
    if (who === 'lead') return obedient(last);
    if (who === 'ada') return done === 0 ? { toolCalls: [waiting(go)] } : { text: 'ada is done' };
    return done === 0 ? { toolCalls: [callOf('wait_agent', { timeout_ms: 3_600_000 })] } : { text: 'bob has waited' };
  });
  await tellLead(stack, session, 'task first');
  const ada = membersIn(await tellLead(stack, session, 'make ada'))['ada']?.id ?? '';
  const bob = membersIn(await tellLead(stack, session, 'make bob'))['bob']?.id ?? '';
  await stack.api.until(bob, 'its wait', (log) => countOf(log, 'tool/call') === 1);
  const before = (await handle(session).describe()).runId;
  // More events than one history may hold, which the session looks at when it has done something.
  const signals = Array.from({ length: 4_100 }, (_, n) => `m${n}`);
  await inTurn(signals, (message) => handle(session).signal('childReleased', { child: 'nobody', message }));
  await tellLead(stack, session, 'look');
  await waitFor(async () => (await handle(session).describe()).runId !== before, { what: 'a fresh history' });
  expect(logLines(await stack.api.events(bob)).at(-1)).toBe('tool/call call_1_1');
  writeFileSync(go, '');
  await stack.api.until(bob, 'its words', (log) => words(log).includes('bob has waited'));
  expect(results(await stack.api.events(bob), 'wait_agent')).toEqual(['{"timedOut":false}']);
  const seen = await tellLead(stack, session, 'look');
  expect(results(seen, 'team_task_list').at(-1)).toContain('"id":"task-1"');
  await Promise.all([session, ada, bob].map((id) => expectSound(stack, id)));
});
