import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '@everturn/core/testing';
import { logLines } from './support/log-lines.ts';
import { bash, callsThenDone, scripted } from './support/model-scripts.ts';
import { loopScript, ralph, reporting, type RoundTask } from './support/ralph-scripts.ts';
import { finishRecording } from './support/record-histories.ts';
import { scriptCall, scriptLines } from './support/script-runs.ts';
import { callOf, leadTeam, results, spawn } from './support/team-script.ts';
import { startStack, type Stack } from './support/stack.ts';

/** What replays in `check` is recorded here: run with EVERTURN_RECORD_HISTORIES=1 to record anew. */
let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

const post = (session: string, what: string) => stack.api.call('POST', `/v1/sessions/${session}/${what}`);

async function turn(options: Record<string, unknown>): Promise<string> {
  const session = await stack.api.create(options);
  await stack.api.prompt(session, 'go');
  return session;
}

test.concurrent('a plain answer', async () => {
  const session = await turn(scripted(stack, 'plain', () => ({ text: 'hello' })));
  expect(logLines(await stack.api.turnEnded(session)).at(-1)).toBe('turn/end completed');
  await finishRecording(stack, session, 'plain-answer');
});

test.concurrent('three parallel tools, a list and a file', async () => {
  const file = join(stack.workspace, 'three.txt');
  writeFileSync(file, 'three\n');
  const read = { name: 'read', arguments: { file_path: file } };
  const todo = { name: 'todo_write', arguments: { todos: [{ content: 'read', status: 'completed' }] } };
  const session = await turn(scripted(stack, 'three', callsThenDone(read, read, read, todo, bash('echo hi'))));
  expect(logLines(await stack.api.turnEnded(session)).filter((line) => line.endsWith(' ok')).length).toBe(5);
  await finishRecording(stack, session, 'three-parallel-tools');
});

test.concurrent('a job that outlives its turn and another that its session ends', async () => {
  const inBackground = (command: string) => {
    const call = bash(command);
    return { ...call, arguments: { ...call.arguments, run_in_background: true } };
  };
  const wait = { name: 'job_output', arguments: { job_id: 'bash-1', wait: true } };
  const session = await turn(
    scripted(stack, 'background', callsThenDone(inBackground('echo hi'), inBackground('sleep 600'), wait)),
  );
  expect(logLines(await stack.api.turnEnded(session)).filter((line) => line.endsWith(' ok')).length).toBe(3);
  await finishRecording(stack, session, 'background-job');
});

test.concurrent('a program that calls tools', async () => {
  const code = `const [a] = await Promise.all([tools.bash({ command: 'echo a', description: 'Say a' }), tools.job_list({})]);
    await tools.todo_write({ todos: [{ content: 'all', status: 'completed' }] });
    return a.stdout.text`;
  const program = { name: 'run_code', arguments: { code, description: 'Try a program' } };
  const session = await turn({ ...scripted(stack, 'program', callsThenDone(program)), toolsMode: 'both' });
  const events = await stack.api.turnEnded(session);
  expect(events.filter(({ type }) => type === 'tool/ptc-dispatch').length).toBe(3);
  await finishRecording(stack, session, 'program');
});

test.concurrent('a loop of agents', async () => {
  const agent = ({ round }: RoundTask) => reporting(round < 2 ? 'continue' : 'complete');
  const session = await turn(scripted(stack, 'loop', loopScript([ralph('see it through')], agent)));
  expect(logLines(await stack.api.turnEnded(session))).toContain('tool/result call_1_1 ok');
  await finishRecording(stack, session, 'ralph');
});

test.concurrent('a script that has agents work, one after another and one for data', async () => {
  const script = `phase('all'); const one = await agent('say one');
    return [one, await agent('give n', { schema: { type: 'object', properties: { n: { type: 'integer' } } } })]`;
  const own = callsThenDone(scriptCall(script));
  const options = scripted(stack, 'script', (request) => {
    const task = JSON.stringify(request.messages.find(({ role }) => role === 'user')?.content ?? '');
    if (task.includes('give n')) return { toolCalls: [{ name: 'structured_output', arguments: { n: 2 } }] };
    return task.includes('say one') ? { text: 'one' } : own(request);
  });
  const session = await turn(options);
  expect(scriptLines(await stack.api.turnEnded(session)).at(-1)).toBe('end completed');
  await finishRecording(stack, session, 'script');
});

test.concurrent('a question that a person answers', async () => {
  const questions = [{ id: 'why', question: 'Why?' }];
  const session = await turn(
    scripted(stack, 'question', callsThenDone({ name: 'ask_user_question', arguments: { questions } })),
  );
  const interactions = `/v1/sessions/${session}/interactions?state=open`;
  const asked = async () => (await stack.api.call<{ interactions: { id: string }[] }>('GET', interactions)).body;
  const id = await waitFor(async () => (await asked()).interactions[0]?.id, { what: 'the question' });
  await stack.api.call('POST', `/v1/sessions/${session}/questions/${id}/answer`, {
    answers: [{ id: 'why', selected: [], custom: 'because' }],
  });
  expect(logLines(await stack.api.turnEnded(session)).at(-1)).toBe('turn/end completed');
  await finishRecording(stack, session, 'question');
});

test.concurrent('a team with a task, a message and a wait', async () => {
  const session = await leadTeam(stack, 'recorded-team', ({ who, done, all }) => {
    if (who === 'lead') {
      if (done === 0)
        return { toolCalls: [callOf('team_task_create', { subject: 's', description: 'd' }), spawn('ada', 'p')] };
      return all.includes('no-active-peer') ? { text: 'done' } : { toolCalls: [callOf('wait_agent')] };
    }
    const claim = callOf('team_task_update', { task_id: 'task-1', expected_revision: 1, action: 'claim' });
    if (done === 0) return { toolCalls: [claim, callOf('send_message', { target: 'lead', message: 'mine' })] };
    return { text: 'done' };
  });
  await stack.api.prompt(session, 'go');
  const events = await stack.api.until(session, 'word of the message', (log) =>
    log.some(({ type }) => type === 'team/message/delivered') ? log : undefined,
  );
  expect(results(events, 'spawn_teammate')[0]).toContain('"phase":"active"');
  await finishRecording(stack, session, 'team');
});

test.concurrent('steering in the middle of a turn', async () => {
  const session = await turn(
    scripted(stack, 'steer', ({ lastUser }) =>
      lastUser === 'left' ? { text: 'left' } : { text: ['a ', 'b'], hold: { gate: 'steer', afterDeltas: 1 } },
    ),
  );
  await stack.model.held('steer');
  await stack.api.prompt(session, 'left', { mode: 'steer' });
  stack.model.release('steer');
  expect(logLines(await stack.api.turnEnded(session))).toContain('steering/message');
  await finishRecording(stack, session, 'steer-mid-turn');
});

test.concurrent('cancelled while the model streams', async () => {
  const session = await turn(
    scripted(stack, 'cancel-stream', () => ({ text: ['a ', 'b'], hold: { gate: 'never', afterDeltas: 1 } })),
  );
  await stack.model.held('never');
  await post(session, 'cancel');
  expect(logLines(await stack.api.turnEnded(session)).at(-1)).toBe('turn/end aborted');
  await finishRecording(stack, session, 'cancel-mid-stream');
});

test.concurrent('cancelled while a tool runs', async () => {
  const session = await turn(scripted(stack, 'cancel-tool', callsThenDone(bash('sleep 600', 600_000), bash('echo'))));
  await stack.api.until(session, 'the call', (events) => events.some(({ type }) => type === 'tool/call'));
  await post(session, 'cancel');
  expect(logLines(await stack.api.turnEnded(session)).at(-1)).toBe('turn/end aborted');
  await finishRecording(stack, session, 'cancel-mid-tool');
});

test.concurrent('a retry', async () => {
  const session = await turn(
    scripted(stack, 'retried', () => ({ text: 'x', fault: { kind: 'status', status: 500 }, faultTimes: 1 })),
  );
  expect(logLines(await stack.api.turnEnded(session))).toContain('llm/retry SERVER');
  await finishRecording(stack, session, 'retry');
});

test.concurrent('steps inside their turn', async () => {
  const options = scripted(stack, 'inline', callsThenDone(bash('echo hi')));
  const session = await turn({ ...options, stepIsolation: 'inline' });
  expect(logLines(await stack.api.turnEnded(session)).at(-1)).toBe('turn/end completed');
  await finishRecording(stack, session, 'inline-steps');
});
