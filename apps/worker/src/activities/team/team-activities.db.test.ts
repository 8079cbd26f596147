import { expect, test } from 'vitest';
import {
  FIRST_MESSAGE,
  memberFact,
  newTeam,
  queuedFact,
  taskFact,
  text,
  type MessageEntry,
  type SessionId,
  type TeamFact,
  type TeamMember,
} from '@everturn/core/domain';
import { acceptPrompt, hasTeam, startSessionRow } from '@everturn/core/postgres';
import type { SessionRef } from '../../contract/index.ts';
import { commit } from '../../projection/index.ts';
import { author, newSession, source } from '../../projection/test/test-session.ts';
import { model, projection } from '../testing/servers.ts';
import type { Courier } from '../children/courier.ts';
import { testProcess } from '../testing/test-process.ts';
import { teamActivities } from './team-activities.ts';

/** Nobody is to be sent anything here. */
const never = async () => {
  throw new Error('nothing is to be sent');
};
const nowhere: Courier = { submit: never, endedFromOutside: never };
const open = async () => teamActivities(await testProcess({ projection, model }), nowhere);

const ada: TeamMember = {
  id: 'sub-ada' as SessionId,
  name: 'ada',
  description: 'd',
  provider: 'spawn',
  context: 'fresh',
  phase: 'provisioning',
};

/** A session whose log says all this of a team, in one turn. */
async function leadOf(facts: (session: SessionId) => TeamFact[]): Promise<SessionRef> {
  const { ref } = await newSession();
  const [session, turn] = [author('session'), author('t1')];
  const events = [
    turn('turn/start', { turn: 1, trigger: { kind: 'message', source } }),
    turn('user/message', { content: [text('go')], source }, 0, { surfaceOp: 'append' }),
    ...facts(ref.session).map(({ type, data }) => session(type, data)),
  ];
  await commit(projection, { ...ref, commit: { events, highestAcknowledged: -1 } });
  return ref;
}

test('a large board travels in parts; the team of another lead is none', async () => {
  const { loadTeam } = await open();
  const tasks = Array.from({ length: 70 }, (_, n) => ({
    id: `task-${n + 1}`,
    revision: 1,
    subject: 's',
    description: 'x'.repeat(16_384),
    status: 'pending' as const,
    blockedBy: [],
    writeScopes: [],
  }));
  const ref = await leadOf((session) => [
    memberFact(newTeam('somebody-else' as SessionId), { ...ada, name: 'eve' }),
    memberFact(newTeam(session), ada),
    ...tasks.map((task) => taskFact(newTeam(session), task)),
  ]);
  const pages = [];
  for (let from: number | undefined = 0; from !== undefined; from = pages.at(-1)?.next)
    pages.push(await loadTeam({ ...ref, from }));
  expect(pages.map(({ team }) => team.tasks.length)).toEqual([31, 31, 8]);
  expect(pages.flatMap(({ team }) => team.tasks)).toEqual(tasks);
  expect(pages[0]?.team.members).toEqual([ada]);
  expect(await hasTeam(projection.database, ref)).toBe(true);
  const other = await leadOf(() => [memberFact(newTeam(ref.session), ada)]);
  expect(await hasTeam(projection.database, other)).toBe(false);
});

test('a member is there if it is the lead’s, was made as it was to be, and has its task', async () => {
  const { findMember } = await open();
  const { ref } = await newSession();
  const { tenant, session: lead } = ref;
  const find = (member: string, provider = 'spawn') =>
    findMember({ ...ref, member: member as SessionId, provider }).then(({ kind }) => kind);
  const entry: MessageEntry = { requestId: FIRST_MESSAGE, kind: 'prompt', content: [text('p')], source, preview: 'p' };
  const make = async (id: string, { parent = lead, mode = 'continuable', task = true }) => {
    const key = { tenant, session: `${lead}-${id}` as SessionId };
    const options = { delegation: { mode, provider: 'spawn', label: '' } };
    await startSessionRow(projection.database, { ...key, header: { version: 0 }, options, parent });
    if (task) await acceptPrompt(projection.database, { ...key, mode: 'send', entry });
    return key.session;
  };
  const whole = await make('whole', {});
  expect([
    await find(whole),
    await find(whole, 'fork'),
    await find(await make('untold', { task: false })),
    await find(await make('one-shot', { mode: 'one-shot' })),
    await find(await make('foreign', { parent: whole })),
    await find('nobody'),
  ]).toEqual(['there', 'missing', 'missing', 'missing', 'missing', 'missing']);
});

test('a message that its target has read is not sent again, and one to the lead is its own', async () => {
  const { handMail, readMail } = await open();
  const target = (await newSession()).ref;
  const mail = (session: SessionId, n: number, to: SessionId) =>
    queuedFact(newTeam(session), {
      id: `team-message-${n}`,
      senderId: ada.id,
      senderName: 'ada',
      targetId: to,
      delivery: 'wakeup',
      content: `say ${n}`,
    });
  const ref = await leadOf((session) => [mail(session, 1, target.session), mail(session, 2, session)]);
  const entry = { kind: 'prompt' as const, content: [text('say 1')], source, preview: 'p' };
  const requestId = 'team-message-1' as MessageEntry['requestId'];
  await acceptPrompt(projection.database, { ...target, mode: 'steer', entry: { ...entry, requestId } });
  const ids = ['team-message-1', 'team-message-2'];
  expect(await readMail({ ...ref, target: target.session, ids })).toEqual({ read: [] });
  const turn = author('t1');
  const events = [turn('turn/start', { turn: 1, trigger: { kind: 'message', source } })];
  const rows = { prompts: [{ promptId: requestId, state: 'claimed' as const, turn: 1 }] };
  await commit(projection, { ...target, commit: { events, highestAcknowledged: -1, rows } });
  expect(await readMail({ ...ref, target: target.session, ids })).toEqual({ read: ['team-message-1'] });
  expect(await handMail({ ...ref, target: target.session, messageId: 'team-message-1' })).toEqual({ kind: 'read' });
  expect(await handMail({ ...ref, target: ref.session, messageId: 'team-message-2' })).toEqual({
    kind: 'own',
    entry: {
      requestId: 'team-message-2',
      kind: 'prompt',
      content: [text('Team message team-message-2 from ada:'), text('say 2')],
      source: {
        kind: 'team-message',
        teamId: ref.session,
        messageId: 'team-message-2',
        senderId: 'sub-ada',
        senderName: 'ada',
      },
      preview: 'ada: say 2',
    },
  });
});
