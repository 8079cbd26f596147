import type { Stack } from '../support/stack.ts';
import { insist } from './client.ts';
import type { ActionPlan, SessionPlan } from './plan-session.ts';
import type { Progress } from './progress.ts';

/** A request the API accepted, in order of acceptance. */
export type Accepted =
  | { kind: 'prompt' | 'steer' | 'inject'; content: string }
  | { kind: 'cancel' }
  | { kind: 'interrupt' };

export interface DriveInput {
  stack: Stack;
  progress: Progress;
  plan: SessionPlan;
}

/** Lives one session as a client would, one request after the other, and ends when everything it sent has come to rest. */
export async function driveSession({ stack, progress, plan }: DriveInput): Promise<Accepted[]> {
  const { name } = plan;
  const accepted: Accepted[] = [];
  await insist(stack.api, {
    path: '/v1/sessions',
    body: { id: name, provider: 'scripted', model: name, workspace: stack.workspace, stepIsolation: plan.isolation },
  });
  const send = async (kind: ActionPlan['kind']) => {
    const content = `${kind} ${accepted.length} of ${name}`;
    await insist(stack.api, requestOf(name, kind, content));
    accepted.push(kind === 'cancel' || kind === 'interrupt' ? { kind } : { kind, content });
  };
  await send('prompt');
  for (const { kind, after } of plan.actions) {
    const { events } = progress.of(name);
    await progress.until(`${name} to get on`, () => {
      const now = progress.of(name);
      return now.events >= events + after || (now.events > events && now.status === 'idle');
    });
    await send(kind);
  }
  // Nothing comes after this one that could drop it, and it sets going again what an interrupt has parked.
  await send('prompt');
  await isAtRest(progress, plan);
  return accepted;
}

function requestOf(name: string, kind: ActionPlan['kind'], content: string) {
  const path = (what: string) => `/v1/sessions/${name}/${what}`;
  switch (kind) {
    case 'prompt':
      return { path: path('prompts'), body: { content } };
    case 'steer':
      return { path: path('prompts'), body: { content, mode: 'steer' } };
    case 'inject':
      return { path: path('inject'), body: { content } };
    default:
      return { path: path(kind) };
  }
}

/** Nothing runs, nothing waits, and every accepted message has come to its end. */
async function isAtRest(progress: Progress, { name }: SessionPlan): Promise<void> {
  await progress.until(`${name} to come to rest`, () => {
    const { events, status, queueLength, waiting } = progress.of(name);
    return events > 0 && status === 'idle' && queueLength + waiting === 0;
  });
}
