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
    await progress.refreshed(); // or it would seem to rest as it did before
  };
  let before = 0;
  await send('prompt');
  for (const { kind, after } of plan.actions) {
    await progress.until(
      `${name} to get on`,
      () => progress.of(name).events >= before + after || rests(progress, name),
    );
    before = progress.of(name).events;
    await send(kind);
  }
  // Nothing comes after this one that could drop it, and it sets going again what an interrupt has parked.
  await send('prompt');
  await progress.until(`${name} to come to rest`, () => rests(progress, name) && progress.of(name).queueLength === 0);
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

/** Nothing runs, and whatever was accepted has come to its end or is parked. */
function rests(progress: Progress, name: string): boolean {
  const { status, queueLength, waiting } = progress.of(name);
  return status === 'idle' && waiting === queueLength;
}
