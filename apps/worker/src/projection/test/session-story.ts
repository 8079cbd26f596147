import { text } from '@everturn/core/domain';
import type { AuthoredEvent, CallId, EventId } from '@everturn/core/domain';
import { stepWorkflowId } from '@everturn/core/protocol';
import { hookClaim } from '../../contract/index.ts';
import { putBlob } from '../blobs.ts';
import type { Projection } from '../projection.ts';
import type { Act } from './scripted-workflows.ts';
import { author, source } from './test-session.ts';

const nothing = { highestAcknowledged: -1 };
export const key = (session: string) => ({ session: session as never, tenant: 'acme' as never });
const provenance = { provider: 'p', model: 'm' };
const delta = (value: string) => ({ type: 'text-delta' as const, index: 0, text: value });
const append = { surfaceOp: 'append' as const };

/** Whose events are written, and a commit of them. */
export interface Story {
  ref: ReturnType<typeof key> & { generation: number };
  commit(events: AuthoredEvent[], rows?: object): Act;
}
/** The acts of one session, as one generation of its authors writes them. */
export const story = (session: string, generation = 1): Story => {
  const ref = { ...key(session), generation };
  return {
    ref,
    commit: (events, rows) => ({
      do: 'activity',
      name: 'commitLog',
      input: { ...ref, commit: { ...nothing, events, ...(rows && { rows }) } },
    }),
  };
};

/** Turn 1: opened by its own workflow after a seed; one step with a model call and a tool whose result is large. */
export async function firstTurn(projection: Projection, { ref, commit }: Story): Promise<Act[]> {
  const at = { turn: 2, step: 1 };
  const [turn, step] = [author('t2'), author('t2.s1')];
  const opening = [step('step/start', at, 0)];
  const call = { type: 'tool-call' as const, id: 'c1' as CallId, name: 'bash', arguments: '{}' };
  const message = author('t2.s1.model')('assistant/message', { ...at, content: [text('hm'), call], provenance }, 90, {
    ...append,
    sources: ['t2.s1.chunks~1/0' as EventId, 't2.s1.chunks~1/1' as EventId],
  });
  const started = step('tool/call', { ...at, callId: call.id, name: 'bash', arguments: '{}' }, 0);
  const large = await putBlob(projection, ref.tenant, [text('\0large '.repeat(9000))]);
  const result = step('tool/result', { ...at, callId: call.id, content: large, isError: false }, 0, {
    ...append,
    sources: [started.eid],
  });
  const pair = [
    turn('turn/start', { turn: 2, trigger: { kind: 'message', source } }, 80),
    turn('user/message', { content: [text('go')], source }, 80, append),
  ];
  const script: Act[] = [
    {
      do: 'activity',
      name: 'streamModel',
      input: { ...ref, ...at, commit: { ...nothing, events: opening }, chunks: ['a', 'b'].map(delta), message },
    },
    {
      do: 'activity',
      name: 'runTool',
      input: {
        ...ref,
        ...at,
        call: { index: 0, name: 'bash' },
        commit: { ...nothing, events: [started] },
        outcome: { content: [text('ok')], isError: false },
      },
    },
    commit([started, result]),
    ...besideTheLog(ref, at),
  ];
  return [
    commit(pair, { prompts: [{ promptId: 'p1', state: 'claimed', turn: 2 }] }),
    { do: 'child', workflowId: stepWorkflowId(ref.session, 2, 1), script },
    commit([turn('step/end', at, 0), turn('turn/end', { turn: 2, reason: { kind: 'completed' } }, 0)], {
      prompts: [{ promptId: 'p1', state: 'done', turn: 2 }],
    }),
  ];
}

/** A question to listeners, a job that ends and is read, and one that is told to end: none of it is in the log. */
function besideTheLog(ref: Story['ref'], at: { turn: number; step: number }): Act[] {
  const commit = { ...nothing, events: [] };
  const job = (index: number, background: string): Act => ({
    do: 'activity',
    name: 'runTool',
    input: {
      ...ref,
      ...at,
      call: { index, name: 'bash' },
      commit,
      background,
      outcome: { content: [], isError: false },
    },
  });
  const claim = hookClaim('t2.s1', 'tools/guard', 'c0');
  const interception = { point: 'tools/guard' };
  const answer = { kind: 'decided', decision: { action: 'pass' } };
  const first = { ...ref, job: 'bash-1' };
  return [
    { do: 'activity', name: 'intercept', input: { ...ref, ...at, claim, interception, commit, answer } },
    job(1, 'sleep 1'),
    job(2, 'sleep 9'),
    { do: 'activity', name: 'finishJob', input: { ...first, end: { state: 'completed', detail: 'exit code 0' } } },
    { do: 'activity', name: 'readJob', input: { ...first, reader: 't2.s1.c3' } },
    { do: 'activity', name: 'stopAllJobs', input: ref },
  ];
}

/** A turn that is terminated while it waits, after its model call was taken over. */
export function dyingTurn({ ref, commit }: Story): Act[] {
  const at = { turn: 3, step: 1 };
  const opening = [
    author('t3')('turn/start', { turn: 3, trigger: { kind: 'message', source } }, 0),
    author('t3.s1')('step/start', at, 0),
  ];
  const input = { ...ref, ...at, commit: { ...nothing, events: opening }, chunks: [delta('x')] };
  const claims = ['t3.s1.model', 't3.s1.c0'];
  return [
    { do: 'activity', name: 'streamModel', input },
    {
      do: 'activity',
      name: 'settle',
      input: { ...ref, claims, live: 'take-over', commit: { ...nothing, events: [] } },
    },
    commit([author('t3', 1)('todo/write', { todos: [{ content: '\ud83d', status: 'pending' }] }, 0)]),
    { do: 'wait' },
  ];
}

/** What a fork begins with: a finished turn of its parent. */
export const seeds = (said = 'before'): AuthoredEvent[] =>
  [
    author('x')('turn/start', { turn: 1, trigger: { kind: 'message', source } }, 10),
    author('x')('user/message', { content: [text(said)], source }, 11, append),
    author('x')('turn/end', { turn: 1, reason: { kind: 'completed' } }, 12),
  ].map((event, seq) => ({ ...event, eid: `seed/${seq}` as EventId }));
