import { expect, test } from 'vitest';
import type { TeamQuestion, TeamReply, TeamRequest } from '@everturn/core/domain';
import { orchestrations } from '../workflow.ts';
import type { OrchestrationContext } from './orchestrate-tool.ts';

const asked: (TeamRequest | TeamQuestion)[] = [];

async function run(key: string, args: object, reply?: TeamReply | 'no-team') {
  const team: NonNullable<OrchestrationContext['team']> = {
    ask: async (request) => {
      asked.push(request);
      return reply === 'no-team' ? undefined : reply;
    },
    read: async (question) => {
      asked.push(question);
      return { kind: 'answered', content: [{ type: 'text', text: 'read' }] };
    },
  };
  const context = { now: 0, settings: {} as never, ...(reply !== 'no-team' && { team }) };
  const { result } = (await orchestrations.get(key)?.orchestrate(args, context)) ?? {};
  return [result?.error?.code ?? 'ok', JSON.stringify(result?.content)];
}
const done: TeamReply = { kind: 'team', value: { fine: true } };

test('each tool asks the lead, or its log, for what its arguments say', async () => {
  asked.length = 0;
  await run('spawn_teammate', { name: 'ada', description: 'd', prompt: 'p' }, done);
  await run('spawn_teammate', { name: 'ada', description: 'd', prompt: 'p', context: 'fork' }, done);
  await run('team:send_message', { target: 'lead', message: 'm' }, done);
  await run('team:interrupt_agent', { target: 'ada' }, done);
  await run('wait_agent', {}, done);
  await run('wait_agent', { timeout_ms: 5_000 }, done);
  await run('team_task_create', { subject: 's', description: 'd', blocked_by: ['task-1'], write_scopes: ['a'] }, done);
  await run('team_task_create', { subject: 's', description: 'd' }, done);
  await run('team_task_update', { task_id: 'task-1', expected_revision: 2, action: 'reassign', owner: 'ada' }, done);
  await run('team_task_update', { task_id: 'task-1', expected_revision: 2, action: 'edit', write_scopes: ['a'] }, done);
  await run(
    'team_task_update',
    { task_id: 't', expected_revision: 1, action: 'set_dependencies', blocked_by: [] },
    done,
  );
  await run('team_task_get', { task_id: 'task-1' });
  await run('team_task_list', { status: 'pending', owner: 'unowned', ready: true, cursor: 1, limit: 2 });
  await run('team:list_agents', {});
  const spawn = { operation: 'spawn', name: 'ada', description: 'd', prompt: 'p' };
  expect(asked).toEqual([
    { ...spawn, context: 'fresh' },
    { ...spawn, context: 'fork' },
    { operation: 'send', target: 'lead', message: 'm' },
    { operation: 'interrupt', target: 'ada' },
    { operation: 'wait', timeoutMs: 30_000 },
    { operation: 'wait', timeoutMs: 5_000 },
    { operation: 'create-task', task: { subject: 's', description: 'd', blockedBy: ['task-1'], writeScopes: ['a'] } },
    { operation: 'create-task', task: { subject: 's', description: 'd' } },
    { operation: 'change-task', change: { taskId: 'task-1', expectedRevision: 2, action: 'reassign', owner: 'ada' } },
    { operation: 'change-task', change: { taskId: 'task-1', expectedRevision: 2, action: 'edit', writeScopes: ['a'] } },
    {
      operation: 'change-task',
      change: { taskId: 't', expectedRevision: 1, action: 'set_dependencies', blockedBy: [] },
    },
    { about: 'task', taskId: 'task-1' },
    { about: 'tasks', filter: { status: 'pending', owner: 'unowned', ready: true, cursor: 1, limit: 2 } },
    { about: 'members' },
  ]);
});

test('answers are compact JSON, refusals have their codes, and what nobody knows is said to be unknown', async () => {
  const send = { target: 'ada', message: 'm' };
  const refused: TeamReply = { kind: 'team-refused', error: { code: 'TEAM_MAILBOX_FULL', message: 'full' } };
  expect(await run('team:send_message', send, done)).toEqual(['ok', '[{"type":"text","text":"{\\"fine\\":true}"}]']);
  expect((await run('team:send_message', send, refused))[0]).toBe('TEAM_MAILBOX_FULL');
  expect((await run('team:send_message', send))[0]).toBe('TOOL_OUTCOME_UNKNOWN');
  expect((await run('team:send_message', send, { kind: 'team-lost' }))[0]).toBe('TOOL_OUTCOME_UNKNOWN');
  expect((await run('wait_agent', {}))[0]).toBe('TEAM_WAIT_ABORTED');
  expect((await run('team:send_message', send, 'no-team'))[0]).toBe('TEAM_NOT_MEMBER');
  expect((await run('team_task_get', { task_id: 't' }, 'no-team'))[0]).toBe('TEAM_NOT_MEMBER');
  expect((await run('team_task_list', { limit: 1.5 }))[0]).toBe('INVALID_ARGS');
});
