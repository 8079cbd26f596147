import { describe, expect, test } from 'vitest';
import { validateEventData } from '../event-registry.ts';
import { deliveredFacts, mailHeading, pendingFor, queuedFact, queueMail } from './mailbox.ts';
import { interruptible, memberFact, provisioned, spawnMember, type SpawnWish } from './roster.ts';
import { isTeamError, provisioningError } from './team-error.ts';
import type { TeamMail } from './team-events.ts';
import { applyTeamFact, foldTeam } from './team.ts';
import { LIMITS, member, sid, task, teamOf } from './test-team.ts';
import { getTask, listTasks, viewTask } from './view-tasks.ts';
import { viewMembers } from './view-team.ts';
import { checkWait, nextAskMs, waitInVain } from './wait-for-team.ts';
import { normaliseScopes } from './write-scopes.ts';

const lead = sid('lead-session');
const code = (value: object) => (isTeamError(value) ? value.code : value);
const team = teamOf({
  members: [
    member('ada'),
    member('bob'),
    member('new', { phase: 'provisioning' }),
    member('bad', { phase: 'failed', error: 'no' }),
  ],
});
const spawn = (change: Partial<SpawnWish>, in_ = team) =>
  code(
    spawnMember(
      in_,
      {
        caller: lead,
        id: sid('sub-x'),
        name: 'x',
        description: ' Does x ',
        prompt: 'p',
        context: 'fresh',
        provider: 'spawn',
        ...change,
      },
      LIMITS,
    ),
  );

describe('the roster', () => {
  test('takes a member on, and says so in an event', () => {
    const made = {
      id: 'sub-x',
      name: 'x',
      description: 'Does x',
      context: 'fresh',
      provider: 'spawn',
      phase: 'provisioning',
    };
    expect(spawn({})).toEqual(made);
    const { type, data } = memberFact(team, member('x'));
    expect(() => validateEventData(type, data)).not.toThrow();
  });

  test('refuses with a code', () => {
    const eight = teamOf({
      members: 'abcdefgh'.split('').map((name) => member(name, { phase: name === 'a' ? 'failed' : 'active' })),
    });
    expect([
      spawn({ caller: sid('sub-ada') }),
      spawn({ caller: sid('sub-stranger') }),
      ...['', 'lead', 'Ada', 'a--b', '-a', 'a_b', 'x'.repeat(65)].map((name) => spawn({ name })),
      spawn({ name: 'ada' }),
      spawn({ name: 'bad' }),
      spawn({ description: ' ' }),
      spawn({ prompt: ' ' }),
      spawn({ description: 'x'.repeat(201) }),
      spawn({}, eight),
    ]).toEqual([
      'TEAM_LEAD_REQUIRED',
      'TEAM_NOT_MEMBER',
      ...Array.from({ length: 7 }, () => 'TEAM_INVALID_MEMBER_NAME'),
      'TEAM_MEMBER_NAME_TAKEN',
      'TEAM_MEMBER_NAME_TAKEN',
      'TEAM_INVALID_ARGUMENT',
      'TEAM_INVALID_ARGUMENT',
      'TEAM_INVALID_ARGUMENT',
      'TEAM_MEMBER_LIMIT',
    ]);
  });

  test('an id that was taken is a conflict of the team, anything else what it is', () =>
    expect(
      ['DUPLICATE_CHILD', 'DELEGATION_DEPTH'].map((why) => provisioningError({ code: why, message: 'm' })),
    ).toEqual([
      { code: 'TEAM_PROVISIONING_CONFLICT', message: 'm' },
      { code: 'DELEGATION_DEPTH', message: 'm' },
    ]));

  test('settles what is being made once', () => {
    expect(provisioned(team, sid('sub-new'), { phase: 'active' })?.phase).toBe('active');
    expect(provisioned(team, sid('sub-new'), { phase: 'failed', error: 'e' })).toMatchObject({
      phase: 'failed',
      error: 'e',
    });
    expect(provisioned(team, sid('sub-bad'), { phase: 'active' })).toBeUndefined();
    expect(provisioned(team, sid('sub-nobody'), { phase: 'active' })).toBeUndefined();
  });

  test('tells whose turn may be ended, and by whom', () => {
    const interrupt = (target: string, by = lead) => code(interruptible(team, by, target));
    expect(interrupt('ada')).toMatchObject({ id: 'sub-ada' });
    expect([
      interrupt('lead'),
      interrupt('new'),
      interrupt('eve'),
      interrupt(' '),
      interrupt('ada', sid('sub-bob')),
    ]).toEqual([
      'TEAM_INVALID_TARGET',
      'TEAM_INVALID_TARGET',
      'TEAM_MEMBER_NOT_FOUND',
      'TEAM_INVALID_TARGET',
      'TEAM_LEAD_REQUIRED',
    ]);
  });

  test('shows everybody, the lead first, with what is wrong', () => {
    const rows = viewMembers(team, (id) => (id === 'sub-bob' ? undefined : { running: id === 'sub-ada', model: 'm' }));
    expect(rows.map(({ target, status, diagnostics }) => [target, status, diagnostics])).toEqual([
      ['lead', 'inactive', []],
      ['ada', 'running', []],
      ['bob', 'inactive', ['its session is gone']],
      ['new', 'provisioning', []],
      ['bad', 'failed', ['no']],
    ]);
    expect(rows[1]).toEqual({
      target: 'ada',
      role: 'member',
      status: 'running',
      model: 'm',
      description: 'does ada',
      provider: 'spawn',
      context: 'fresh',
      diagnostics: [],
    });
  });

  test('is not that of another lead, whose events a fork takes over', () => {
    expect(foldTeam(sid('another'), [memberFact(team, member('ada'))]).members).toEqual([]);
  });
});

describe('the mailbox', () => {
  const send = (change: Partial<Parameters<typeof queueMail>[1]>, in_ = team) =>
    queueMail(in_, { caller: sid('sub-ada'), id: 'team-message-1', target: 'bob', content: 'hi', ...change }, LIMITS);

  test('keeps messages in order until they are read, each once', () => {
    const mails = [1, 2, 3].map((n) => send({ id: `team-message-${n}` }) as TeamMail);
    let now = mails.reduce((each, mail) => applyTeamFact(each, queuedFact(each, mail)), team);
    const [first] = mails;
    now = applyTeamFact(now, queuedFact(now, first!));
    expect(pendingFor(now, sid('sub-bob')).map(({ id }) => id)).toEqual([
      'team-message-1',
      'team-message-2',
      'team-message-3',
    ]);
    expect(pendingFor(now, sid('sub-ada'))).toEqual([]);
    const read = deliveredFacts(now, sid('sub-bob'), ['team-message-2', 'team-message-9']);
    expect(read.map(({ data }) => data)).toEqual([
      { version: 1, teamId: lead, messageId: 'team-message-2', targetId: 'sub-bob' },
    ]);
    now = read.reduce(applyTeamFact, now);
    expect(now.pending.map(({ id }) => id)).toEqual(['team-message-1', 'team-message-3']);
    expect(deliveredFacts(now, sid('sub-bob'), ['team-message-2'])).toEqual([]);
    expect(now.pending[0]).toEqual({
      id: 'team-message-1',
      senderId: 'sub-ada',
      senderName: 'ada',
      targetId: 'sub-bob',
      delivery: 'wakeup',
    });
    expect(mailHeading(mails[0]!)).toBe('Team message team-message-1 from ada:');
  });

  test('reaches the lead and members that are being made', () => {
    expect([send({ target: 'lead' }), send({ target: 'new' })].map((mail) => (mail as TeamMail).targetId)).toEqual([
      lead,
      'sub-new',
    ]);
  });

  test('refuses with a code', () => {
    const full = Array.from({ length: 64 }, (_, n) => n).reduce(
      (now, n) => applyTeamFact(now, queuedFact(now, send({ id: `team-message-${n}` }) as TeamMail)),
      team,
    );
    expect(
      [
        send({ target: 'ada' }),
        send({ target: 'eve' }),
        send({ target: '' }),
        send({ target: 'bad' }),
        send({ content: ' ' }),
        send({ content: '€'.repeat(21_845) }),
        send({ caller: sid('sub-stranger') }),
        send({ id: 'team-message-65' }, full),
      ].map(code),
    ).toEqual([
      'TEAM_SELF_MESSAGE',
      'TEAM_MEMBER_NOT_FOUND',
      'TEAM_INVALID_TARGET',
      'TEAM_INVALID_TARGET',
      'TEAM_INVALID_ARGUMENT',
      'TEAM_MESSAGE_TOO_LARGE',
      'TEAM_NOT_MEMBER',
      'TEAM_MAILBOX_FULL',
    ]);
    expect(isTeamError(send({ target: 'lead' }, full))).toBe(false);
  });
});

describe('waiting', () => {
  test('is bounded before anything else is looked at', () => {
    expect([9_999, 3_600_001, 10_000.5, 5_000].map((ms) => checkWait(ms)?.code)).toEqual(
      Array.from({ length: 4 }, () => 'TEAM_INVALID_TIMEOUT'),
    );
    expect([10_000, 3_600_000].map(checkWait)).toEqual([undefined, undefined]);
  });

  test('is in vain where nobody else is at work or being made', () => {
    const two = teamOf({ members: [member('ada'), member('bob')] });
    const running =
      (...who: string[]) =>
      (id: string) =>
        who.includes(id);
    expect(waitInVain(two, lead, running())).toMatchObject({
      timedOut: false,
      noProgress: { reason: 'no-active-peer' },
    });
    expect(waitInVain(two, lead, running('lead-session'))).toMatchObject({ noProgress: {} });
    expect(waitInVain(two, lead, running('sub-ada'))).toBeUndefined();
    expect(waitInVain(two, sid('sub-ada'), running('sub-ada'))).toMatchObject({ noProgress: {} });
    expect(waitInVain(two, sid('sub-ada'), running('lead-session'))).toBeUndefined();
    expect(waitInVain(team, lead, running())).toBeUndefined();
    expect(code(waitInVain(two, sid('sub-stranger'), running())!)).toBe('TEAM_NOT_MEMBER');
  });
});

describe('the board as it is seen', () => {
  const board = teamOf({
    members: [member('ada'), member('bob')],
    tasks: [
      task(1, { status: 'completed', ownerId: sid('sub-ada'), writeScopes: ['src'] }),
      task(2, { blockedBy: ['task-1'], writeScopes: ['src/a', 'docs'] }),
      task(3, { status: 'in_progress', ownerId: sid('sub-bob'), writeScopes: ['src', 'docsets'] }),
      task(4, { blockedBy: ['task-3'] }),
      task(5, { status: 'deleted' }),
    ],
  });
  const ids = (filter: Parameters<typeof listTasks>[2]) => {
    const page = listTasks(board, sid('sub-ada'), filter);
    return 'tasks' in page ? [page.tasks.map(({ id }) => id.slice(5)).join(), page.nextCursor] : page.code;
  };

  test('tells who has a task, whether it can be begun, and who is at work on the same files', () => {
    expect(viewTask(board, board.tasks[1]!)).toEqual({
      ...task(2, { blockedBy: ['task-1'], writeScopes: ['src/a', 'docs'] }),
      ready: true,
      writeScopeWarnings: ['src/a: task-3 (bob) is at work on src'],
    });
    expect(viewTask(board, board.tasks[2]!)).toMatchObject({ ownerName: 'bob', ready: false, writeScopeWarnings: [] });
    expect(viewTask(board, board.tasks[3]!).ready).toBe(false);
  });

  test('is listed in pages, without what was deleted', () => {
    expect(ids({})).toEqual(['1,2,3,4', undefined]);
    expect(ids({ limit: 3 })).toEqual(['1,2,3', 3]);
    expect(ids({ limit: 3, cursor: 3 })).toEqual(['4', undefined]);
    expect(ids({ status: 'pending' })).toEqual(['2,4', undefined]);
    expect(ids({ owner: 'bob' })).toEqual(['3', undefined]);
    expect(ids({ owner: 'unowned' })).toEqual(['2,4', undefined]);
    expect(ids({ ready: true })).toEqual(['2', undefined]);
    expect([ids({ limit: 0 }), ids({ limit: 101 }), ids({ cursor: -1 })]).toEqual(
      Array.from({ length: 3 }, () => 'TEAM_INVALID_ARGUMENT'),
    );
  });

  test('shows one task, a deleted one, too', () => {
    const get = (id: string, by = lead) => code(getTask(board, by, id));
    expect(get('task-5')).toMatchObject({ status: 'deleted' });
    expect([get('task-9'), get('task-1', sid('sub-stranger'))]).toEqual(['TEAM_TASK_NOT_FOUND', 'TEAM_NOT_MEMBER']);
  });
});

test('scopes are paths below the workspace, in one spelling', () => {
  expect(normaliseScopes(['.\\src\\a\\', './src/a', 'b/', '././c.ts', '...'])).toEqual(['src/a', 'b', 'c.ts', '...']);
  for (const wrong of ['', ' ', '.', './', '/', '/a', 'C:\\a', 'c:a', '..', '../a', 'a/..', 'a/../b', '\\a'])
    expect([wrong, code(normaliseScopes([wrong]))]).toEqual([wrong, 'TEAM_INVALID_WRITE_SCOPE']);
});

test('a step without an answer asks less and less often whether it was heard', () =>
  expect([0, 1, 4, 5, 100].map(nextAskMs)).toEqual([60_000, 120_000, 960_000, 1_800_000, 1_800_000]));
