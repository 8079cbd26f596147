import { expect } from 'vitest';
import { checkLog, text } from '@everturn/core/domain';
import type { AuthoredEvent, CallId, MessageEntry, RequestId } from '@everturn/core/domain';
import { acceptPrompt, readEvents } from '@everturn/core/postgres';
import { appendChunks } from '../append-chunks.ts';
import { beginEffect } from '../begin-effect.ts';
import { commit } from '../commit.ts';
import { finishEffect } from '../finish-effect.ts';
import { author, newSession, source } from './test-session.ts';
import type { TestSession } from './test-session.ts';

/** Commits of nothing. */
export const nothing = { events: [], highestAcknowledged: -1 };
export const at = { turn: 1, step: 1 };
const call = (id: string) => ({ type: 'tool-call' as const, id: id as CallId, name: 'bash', arguments: '{}' });
const started = (id: string) => ({ ...at, callId: id as CallId, name: 'bash', arguments: '{}' });
/** A message, by the id of its request. */
export const entry = (requestId: string): MessageEntry => ({
  requestId: requestId as RequestId,
  kind: 'prompt',
  content: [text(requestId)],
  source,
  preview: requestId,
});
/** Writes events and rows as a session's authors do. */
export const send = (session: TestSession, events: AuthoredEvent[], rows?: object) =>
  commit(session.projection, { ...session.ref, commit: { ...nothing, events, ...(rows && { rows }) } });
/** All events of a session. */
export const log = async ({ projection, ref }: TestSession) =>
  (await readEvents(projection.database, { ...ref, from: 0, limit: 1000 })).events;

/** A session with two messages, whose turn has one of them and has not let it in. */
export async function unadmittedTurn(): Promise<TestSession> {
  const session = await newSession();
  for (const id of ['first', 'second'])
    await acceptPrompt(session.projection.database, { ...session.ref, mode: 'send', entry: entry(id) });
  await send(session, [author('t1')('turn/start', { turn: 1, trigger: { kind: 'message', source } }, 10)], {
    prompts: [{ promptId: 'first', state: 'claimed', turn: 1 }],
  });
  return session;
}

/** A turn that died in its first step: call a is done in its claim, b is under way, c was started, d was not. */
export async function deadTurn(): Promise<TestSession> {
  const session = await newSession();
  const { projection, ref } = session;
  for (const id of ['first', 'second']) {
    await acceptPrompt(projection.database, { ...ref, mode: 'send', entry: entry(id) });
  }
  const step = author('t1.s1');
  await send(
    session,
    [
      author('t1')('turn/start', { turn: 1, trigger: { kind: 'message', source } }, 10),
      author('t1', 1)('user/message', { content: [text('go')], source }, 10, { surfaceOp: 'append' }),
      step('step/start', at, 10),
    ],
    { status: 'running', prompts: [{ promptId: 'first', state: 'claimed', turn: 1 }] },
  );
  const model = await beginEffect(projection, { ...ref, ...at, claim: 't1.s1.model', label: 'm', commit: nothing });
  if (model.state !== 'granted') throw new Error(model.state);
  const chunks = [{ type: 'text-delta' as const, index: 0, text: 'x' }];
  await appendChunks(projection, [{ target: { held: model.held, ...at }, first: 0, chunks }]);
  const content = ['a', 'b', 'c', 'd'].map(call);
  const message = author('t1.s1.model')(
    'assistant/message',
    { ...at, content, provenance: { provider: 'p', model: 'm' } },
    9,
    { surfaceOp: 'append', sources: [{ from: 3, to: 3 }] },
  );
  await finishEffect(projection, { held: model.held, outcome: { kind: 'success' }, events: [message] });
  await send(session, [
    step('tool/call', started('a'), 30),
    step('tool/call', started('b'), 30),
    step('tool/call', started('c'), 30),
  ]);
  for (const index of [0, 1]) {
    const tool = await beginEffect(projection, {
      ...ref,
      ...at,
      claim: `t1.s1.c${index}`,
      label: 'bash',
      commit: nothing,
    });
    if (tool.state !== 'granted') throw new Error(tool.state);
    if (index === 0)
      await finishEffect(projection, { held: tool.held, outcome: { content: [text('made it')], isError: false } });
  }
  return session;
}

/** How the log of a dead turn ends once it was recovered. */
export const results = [
  ['tool/result', 'made it'],
  ['tool/result', 'TOOL_OUTCOME_UNKNOWN'],
  ['tool/result', 'TOOL_NOT_STARTED'],
  ['tool/result', 'TOOL_NOT_STARTED'],
  ['step/end', undefined],
  ['turn/end', 'interrupted'],
];
/** How the log of a dead turn ends; the log is sound. */
export async function closing(session: TestSession): Promise<unknown[]> {
  const events = await log(session);
  expect(checkLog({ events, tail: 'closed' })).toEqual([]);
  return events.slice(8).map((event) => {
    if (event.type === 'tool/result') {
      const [block] = event.data.content;
      return [event.type, event.data.error?.code ?? (block?.type === 'text' ? block.text : '')];
    }
    return [event.type, event.type === 'turn/end' ? event.data.reason.kind : undefined];
  });
}
