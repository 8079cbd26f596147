import { cpSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { defaultPayloadConverter } from '@temporalio/common';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionEvent } from '@everturn/core/domain';
import { workspaceRoot } from '@everturn/core/testing';
import type { RunToolInput } from '../src/contract/index.ts';
import { expectSound } from './support/expect-sound.ts';
import { startStack, type Stack } from './support/stack.ts';

let stack: Stack;
beforeAll(async () => void (stack = await startStack()));
afterAll(() => stack?.stop());

/** Does the demo job in a fresh copy of its project. */
async function demo(session: string, options: { stepIsolation?: 'inline' } = {}): Promise<SessionEvent[]> {
  const workspace = join(stack.workspace, session);
  cpSync(join(workspaceRoot, 'infra/demo/workspace'), workspace, { recursive: true });
  // Tools list the newest first, so that the order is the same in every copy only if the times are.
  const files = readdirSync(workspace, { recursive: true, encoding: 'utf8' }).toSorted();
  for (const [index, file] of files.entries()) utimesSync(join(workspace, file), index, index);
  await stack.api.create({ id: session, provider: 'scripted', model: 'scripted-demo', workspace, ...options });
  await stack.api.prompt(session, readFileSync(join(workspaceRoot, 'infra/demo/prompt.md'), 'utf8'));
  const events = await stack.api.turnEnded(session);
  expect(events.at(-1)).toMatchObject({ type: 'turn/end', data: { reason: { kind: 'completed' } } });
  expect(readFileSync(join(workspace, 'REPORT.md'), 'utf8')).toContain('After: ');
  await expectSound(stack, session);
  return events;
}

/** What a history says of its workflow's place, its children and its effects. */
interface Shape {
  type: string;
  parent: string | undefined;
  children: string[];
  /** Model calls, and tool calls by their id. */
  effects: string[];
}

async function shapeOf(workflowId: string): Promise<Shape> {
  const { events } = await stack.client.workflow.getHandle(workflowId).fetchHistory();
  const started = events?.[0]?.workflowExecutionStartedEventAttributes;
  const shape: Shape = {
    type: started?.workflowType?.name ?? '',
    parent: started?.parentWorkflowExecution?.workflowId ?? undefined,
    children: [],
    effects: [],
  };
  for (const event of events ?? []) {
    const child = event.childWorkflowExecutionStartedEventAttributes?.workflowExecution?.workflowId;
    if (child) shape.children.push(child);
    const activity = event.activityTaskScheduledEventAttributes;
    const [payload] = activity?.input?.payloads ?? [];
    if (activity?.activityType?.name === 'streamModel') shape.effects.push('model');
    if (activity?.activityType?.name === 'runTool' && payload)
      shape.effects.push(defaultPayloadConverter.fromPayload<RunToolInput>(payload).call.callId);
  }
  return shape;
}

/** Lists bring their body into the workflow itself: they touch nothing outside. */
const INSIDE_THE_STEP = new Set(['todo_write']);

/** What the log says each step did, by its number. */
function effectsBySteps(events: readonly SessionEvent[]): string[][] {
  const steps: string[][] = [];
  for (const event of events) {
    if (event.type === 'step/start') steps.push(['model']);
    if (event.type === 'tool/call' && !INSIDE_THE_STEP.has(event.data.name)) steps.at(-1)?.push(event.data.callId);
  }
  return steps;
}

test('by default a session has turns, a turn has steps, and a step has its model call and its tool calls', async () => {
  // Nobody has chosen: what is proven here is the default.
  expect(process.env['EVERTURN_STEP_ISOLATION']).toBeUndefined();
  const events = await demo('demo-1');
  const effects = effectsBySteps(events);
  expect(effects.length).toBeGreaterThan(8);
  expect(effects.some((step) => step.length > 3)).toBe(true);
  const [session, turn] = ['session:demo-1', 'session:demo-1/turn:1'];
  const steps = effects.map((_, index) => `${turn}/step:${index + 1}`);
  expect(await shapeOf(session)).toEqual({
    type: 'sessionWorkflow',
    parent: undefined,
    children: [turn],
    effects: [],
  });
  expect(await shapeOf(turn)).toEqual({ type: 'turnWorkflow', parent: session, children: steps, effects: [] });
  expect(await Promise.all(steps.map(shapeOf))).toEqual(
    effects.map((step) => ({ type: 'stepWorkflow', parent: turn, children: [], effects: step })),
  );
});

/** The words the Temporal UI shows beside a workflow and beside each of its activities. */
async function wordsOf(workflowId: string): Promise<{ own: unknown; activities: unknown[] }> {
  const { events } = await stack.client.workflow.getHandle(workflowId).fetchHistory();
  const summaries = (events ?? []).map(({ userMetadata }) =>
    userMetadata?.summary ? defaultPayloadConverter.fromPayload<string>(userMetadata.summary) : undefined,
  );
  const activities = summaries.filter((_, index) => events?.[index]?.activityTaskScheduledEventAttributes);
  return { own: summaries[0], activities };
}

test('operators see whose it is, how far it came, and what each step and activity was for', async () => {
  const [session, turn, step] = ['session:demo-1', 'session:demo-1/turn:1', 'session:demo-1/turn:1/step:6'];
  const found = async (id: string) => {
    const { searchAttributes } = await stack.client.workflow.getHandle(id).describe();
    return Object.fromEntries(Object.entries(searchAttributes).filter(([name]) => name.startsWith('Everturn')));
  };
  const identity = { EverturnSession: ['demo-1'], EverturnTenant: [stack.tenant] };
  const model = { EverturnModel: ['scripted-demo'] };
  expect(await found(session)).toEqual({
    ...identity,
    ...model,
    EverturnStatus: ['idle'],
    EverturnTokens: [expect.any(Number)],
  });
  expect(await found(step)).toMatchObject({ ...identity, ...model, EverturnTool: ['bash'] });
  expect((await wordsOf(turn)).own).toMatch(/^The tests of this project fail\./);
  expect((await wordsOf(step)).activities.slice(0, 2)).toEqual(['model scripted-demo', 'bash: Run the tests']);
  const details = await stack.client.workflow
    .getHandle(session)
    .query<{ currentDetails: string }>('__temporal_workflow_metadata');
  expect(details.currentDetails).toMatch(/ · idle\s+- turn 1 was the last/);
});

/**
 * An event without what differs between any two runs: folders, durations, and with them counts of tokens. A search
 * finds files in any order, so its result is compared by what it holds.
 */
function comparable({ type, data }: SessionEvent, session: string): unknown {
  const { usage: _tokens, ...rest } = data as { usage?: unknown };
  const text = JSON.stringify(rest)
    .replaceAll(session, 'SESSION')
    .replaceAll(/\d+(\.\d+)?ms/g, 'DURATION')
    .replaceAll(/duration_ms [\d.]+/g, 'DURATION');
  const found = JSON.parse(text) as { content?: { text?: string }[]; meta?: unknown };
  if (type !== 'tool/result' || !found.content?.[0]?.text?.startsWith('Found ')) return { type, data: found };
  const lines = found.content[0].text.split('\n').toSorted();
  return { type, data: { ...found, content: lines, meta: JSON.stringify(found.meta).length } };
}

test('inline steps leave the same log, and all of it in the history of the turn', async () => {
  const logOf = async (session: string) => {
    const events = (await stack.api.events(session)).filter(({ type }) => type !== 'assistant/chunk');
    return events.map((event) => comparable(event, session));
  };
  const events = await demo('demo-2', { stepIsolation: 'inline' });
  expect(await logOf('demo-2')).toEqual(await logOf('demo-1'));
  expect(await shapeOf('session:demo-2/turn:1')).toEqual({
    type: 'turnWorkflow',
    parent: 'session:demo-2',
    children: [],
    effects: effectsBySteps(events).flat(),
  });
});
