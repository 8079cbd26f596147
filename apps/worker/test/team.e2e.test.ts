import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { expectSound } from './support/expect-sound.ts';
import { logLines } from './support/log-lines.ts';
import { bash } from './support/model-scripts.ts';
import { startStack, type Stack } from './support/stack.ts';
import {
  callOf,
  countOf,
  holdBirths,
  leadTeam,
  mailIn,
  membersIn,
  obedient,
  results,
  spawn,
  tellLead,
  words,
} from './support/team-script.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const status = async (session: string) =>
  String((await stack.api.call('GET', `/v1/sessions/${session}`)).body['status']);
const atRest = (session: string) =>
  stack.api.until(session, `${session} to rest`, (log) =>
    logLines(log).at(-1)?.startsWith('turn/end') ? log : undefined,
  );
test('two members claim one task at once, write to each other, and are waited for', async () => {
  const go = join(stack.workspace, 'race');
  const session = await leadTeam(stack, 'race', ({ who, done, all }) => {
    const won = all.includes(`ownerName\\":\\"${who}`);
    const other = who === 'ada' ? 'bob' : 'ada';
    if (who === 'lead') {
      if (done === 0)
        return {
          toolCalls: [
            callOf('team_task_create', { subject: 'one', description: 'all of it', write_scopes: ['./src/'] }),
            spawn('ada', 'race'),
            spawn('bob', 'race'),
          ],
        };
      if (all.includes('no-active-peer')) return { text: 'all done' };
      if (done === 1) writeFileSync(go, '');
      return { toolCalls: [callOf('wait_agent', { timeout_ms: 600_000 })] };
    }
    if (done === 0) return { toolCalls: [bash(`while [ ! -e ${go} ]; do sleep 0.02; done`)] };
    if (done === 1)
      return { toolCalls: [callOf('team_task_update', { task_id: 'task-1', expected_revision: 1, action: 'claim' })] };
    if (!won) return { text: 'lost' };
    if (done === 2)
      return {
        toolCalls: [
          callOf('send_message', { target: other, message: 'mine' }),
          callOf('send_message', { target: 'lead', message: 'taken' }),
          callOf('team_task_update', { task_id: 'task-1', expected_revision: 2, action: 'complete' }),
          callOf('spawn_teammate', { name: 'eve', description: 'd', prompt: 'p' }),
          callOf('wait_agent', { timeout_ms: 5_000 }),
          callOf('send_message', { target: who, message: 'me' }),
          callOf('interrupt_agent', { target: other }),
          callOf('list_agents'),
        ],
      };
    return { text: 'won' };
  });
  await stack.api.prompt(session, 'begin');
  const log = await stack.api.until(session, 'the lead to be done', (events) =>
    words(events).includes('all done') ? events : undefined,
  );
  const members = membersIn(log);
  expect(Object.entries(members).map(([name, { phase }]) => [name, phase])).toEqual([
    ['ada', 'active'],
    ['bob', 'active'],
  ]);
  const logs = { ada: await atRest(members['ada']!.id), bob: await atRest(members['bob']!.id) };
  const claims = Object.values(logs).map((events) => results(events, 'team_task_update')[0] ?? '');
  const winner = claims[0]?.startsWith('{') ? 'ada' : 'bob';
  const [loser, lost] = winner === 'ada' ? (['bob', claims[1]] as const) : (['ada', claims[0]] as const);
  expect(lost).toMatch(/^Error: task-1 has revision 2, not 1/);
  const won = logs[winner];
  expect(JSON.parse(results(won, 'team_task_update')[1] ?? '')).toEqual({
    id: 'task-1',
    revision: 3,
    subject: 'one',
    description: 'all of it',
    status: 'completed',
    blockedBy: [],
    writeScopes: ['src'],
    ownerName: winner,
    ready: false,
    writeScopeWarnings: [],
  });
  const codes = won.flatMap((event) =>
    event.type === 'tool/result' && event.data.error ? [event.data.error.code] : [],
  );
  expect(codes).toEqual(['TEAM_LEAD_REQUIRED', 'TEAM_INVALID_TIMEOUT', 'TEAM_SELF_MESSAGE', 'TEAM_LEAD_REQUIRED']);
  const roster = JSON.parse(results(won, 'list_agents')[0] ?? '') as { target: string; status: string }[];
  expect(roster.map(({ target }) => target)).toEqual(['lead', 'ada', 'bob']);
  expect(roster.find(({ target }) => target === winner)?.status).toBe('running');
  expect(mailIn(logs[loser])).toEqual([`${winner}: mine`]);
  expect(mailIn(log)).toEqual([`${winner}: taken`]);

  // What its targets have read the log of the lead says, once they rest.
  const facts = await stack.api.until(session, 'word of both messages', (events) =>
    events.filter(({ type }) => type === 'team/message/delivered').length === 2 ? events : undefined,
  );
  const kinds = facts.flatMap(({ type }) => (type.startsWith('team/') ? [type] : []));
  expect(kinds.toSorted()).toEqual([
    ...Array.from({ length: 4 }, () => 'team/member'),
    'team/message/delivered',
    'team/message/delivered',
    'team/message/queued',
    'team/message/queued',
    ...Array.from({ length: 3 }, () => 'team/task'),
  ]);

  const team = (await stack.api.call<TeamBody>('GET', `/v1/sessions/${session}/team`)).body;
  expect(team.members.map(({ target, session: id }) => [target, id])).toEqual([
    ['lead', session],
    ['ada', members['ada']?.id],
    ['bob', members['bob']?.id],
  ]);
  expect(team.tasks).toMatchObject([{ id: 'task-1', status: 'completed', ownerName: winner }]);
  expect((await stack.api.call('GET', `/v1/sessions/${members['ada']?.id}/team`)).body).toEqual(team);

  // The team ends with its lead.
  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  await waitFor(async () => (await status(session)) === 'closed', { what: 'the lead to close' });
  for (const { id } of Object.values(members)) expect(await status(id)).toBe('closed');
  await Promise.all([session, ...Object.values(members).map(({ id }) => id)].map((id) => expectSound(stack, id)));
});

interface TeamBody {
  members: { target: string; session: string; status: string }[];
  tasks: object[];
}

test('a worker that dies while a member is being made makes it once; a cancel of the lead does not reach it', async () => {
  const go = join(stack.workspace, 'go-on');
  const session = await leadTeam(stack, 'half', ({ who, done, last }) => {
    if (who === 'lead') {
      if (last.includes('begin')) return { toolCalls: [spawn('ada', 'begin')] };
      if (last.includes('stop her')) return { toolCalls: [callOf('interrupt_agent', { target: 'ada' })] };
      return last.includes('previousStatus')
        ? { text: 'noted' }
        : { toolCalls: [callOf('wait_agent', { timeout_ms: 3_600_000 })] };
    }
    return done === 0 ? { toolCalls: [bash(`while [ ! -e ${go} ]; do sleep 0.05; done`)] } : { text: 'ada is done' };
  });
  // No row of a session comes into being below this one while the lock is held.
  await holdBirths(stack.database, session, async () => {
    await stack.api.prompt(session, 'begin');
    await stack.api.until(session, 'word of the member', (log) => membersIn(log)['ada']?.phase === 'provisioning');
    await stack.worker().kill9();
  });
  await stack.startWorker();
  const log = await stack.api.until(session, 'the member', (events) =>
    membersIn(events)['ada']?.phase === 'active' ? events : undefined,
  );
  const { id = '' } = membersIn(log)['ada'] ?? {};
  const children = await stack.api.call<{ sessions: { id: string }[] }>('GET', `/v1/sessions/${session}/children`);
  expect(children.body.sessions.map((child) => child.id)).toEqual([id]);
  await stack.api.until(id, 'her work', (events) => events.some(({ type }) => type === 'tool/call'));
  await stack.api.until(session, 'the lead to wait', (events) => countOf(events, 'tool/call') === 2);

  await stack.api.call('POST', `/v1/sessions/${session}/cancel`);
  const cancelled = await stack.api.until(session, 'the cancel', (events) =>
    logLines(events).at(-1) === 'turn/end aborted' ? events : undefined,
  );
  expect(logLines(cancelled)).toContain('tool/result call_2_1 TEAM_WAIT_ABORTED');
  expect(await status(id)).toBe('running');
  // Only its lead ends the turn of a member, which stays.
  await stack.api.prompt(session, 'stop her');
  const events = await stack.api.until(session, 'the interrupt', (all) =>
    results(all, 'interrupt_agent').length === 1 ? all : undefined,
  );
  expect(results(events, 'interrupt_agent')).toEqual(['{"previousStatus":"running"}']);
  expect(logLines(await stack.api.turnEnded(id)).at(-1)).toBe('turn/end aborted');
  await stack.api.until(session, 'word of it', (all) => words(all).includes(`subagent ${id} was stopped`));
  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  await waitFor(async () => (await status(id)) === 'closed', { what: 'the member to close' });
  await expectSound(stack, session);
});

test('messages to a member that is at work reach it in order and once, though the lead dies meanwhile', async () => {
  const go = join(stack.workspace, 'mail');
  const session = await leadTeam(stack, 'mail', ({ who, done, last }) => {
    if (who === 'lead') return obedient(last);
    return done === 0
      ? { toolCalls: [bash(`while [ ! -e ${go} ]; do sleep 0.05; done`)] }
      : { text: `${who} has read` };
  });
  const { id } = membersIn(await tellLead(stack, session, 'make ada'))['ada'] ?? { id: '' };
  await stack.api.until(id, 'its work', (log) => countOf(log, 'tool/call') === 1);
  await tellLead(stack, session, 'tell ada one');
  await tellLead(stack, session, 'tell ada two');
  // A lead that is terminated and comes back finds what was not read, and sends none of it twice.
  await stack.client.workflow.getHandle(`session:${session}`).terminate('test');
  await stack.api.call('POST', `/v1/sessions/${session}/resume`, {});
  const log = await tellLead(stack, session, 'tell ada three');
  expect(results(log, 'send_message').map((text) => (JSON.parse(text) as { status: string }).status)).toEqual([
    'accepted',
    'accepted',
    'accepted',
  ]);
  writeFileSync(go, '');
  const read = await stack.api.until(id, 'the messages', (all) => (mailIn(all).length === 3 ? all : undefined));
  expect(mailIn(read)).toEqual(['lead: one', 'lead: two', 'lead: three']);
  await stack.api.until(session, 'word of all', (all) => countOf(all, 'team/message/delivered') === 3);
  expect(mailIn(await stack.api.events(id)).length).toBe(3);

  // A member whose life has ended begins another for a message.
  await waitFor(async () => (await status(id)) === 'idle', { what: 'the member to rest' });
  await stack.client.workflow.getHandle(`session:${id}`).terminate('test');
  await tellLead(stack, session, 'tell ada four');
  await stack.api.until(id, 'the fourth', (all) => mailIn(all).length === 4);
  await Promise.all([expectSound(stack, session), expectSound(stack, id)]);
});

test('a member that waits hears that its team is gone, before it is closed with its lead', async () => {
  const session = await leadTeam(stack, 'disposed', ({ who, done }) => {
    if (who === 'ada' && done === 0) return { toolCalls: [callOf('wait_agent', { timeout_ms: 3_600_000 })] };
    if (who === 'ada') return { text: 'never said', hold: 'disposed' };
    return done === 0 ? { toolCalls: [spawn('ada', 'wait'), bash('sleep 600')] } : { text: 'never said' };
  });
  await stack.api.prompt(session, 'begin');
  const id = await stack.api.until(session, 'the member', (log) => membersIn(log)['ada']?.id);
  await stack.api.until(id, 'its wait', (log) => countOf(log, 'tool/call') === 1);
  await stack.api.until(session, 'the lead to be at work', (log) => countOf(log, 'tool/call') === 2);
  await stack.api.call('DELETE', `/v1/sessions/${session}`);
  await waitFor(async () => (await status(session)) === 'closed', { what: 'the lead to close' });
  const lines = logLines(await stack.api.turnEnded(id));
  expect(lines).toContain('tool/result call_1_1 TEAM_DISPOSED');
  expect(lines.at(-1)).toBe('turn/end aborted');
  await Promise.all([expectSound(stack, session), expectSound(stack, id)]);
});
