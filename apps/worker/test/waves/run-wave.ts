import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionEvent } from '@everturn/core/domain';
import { expect } from 'vitest';
import { expectSound } from '../support/expect-sound.ts';
import { logLines } from '../support/log-lines.ts';
import type { Stack } from '../support/stack.ts';
import { Person, type GivenAnswer } from './answer-questions.ts';
import { checkAnswers } from './check-answers.ts';
import { checkEffects, type LedgerEntry, type UnknownEffects } from './check-effects.ts';
import { checkMessages } from './check-messages.ts';
import { readLog } from './client.ts';
import { driveSession, type Accepted } from './drive-session.ts';
import { planWave, type Victim, type WavePlan } from './plan.ts';
import type { SessionPlan } from './plan-session.ts';
import { playModel, type CallsById } from './play-model.ts';
import { Progress } from './progress.ts';
import { strikeAll } from './strike.ts';

/** What a wave came to. */
export interface WaveReport {
  struck: Victim[];
  events: number;
  /** How long its sessions lived. */
  seconds: number;
  /** Effects nobody can tell the outcome of; each is explained by the log. */
  unknown: UnknownEffects;
  sessions: string[];
}

interface Lived {
  plan: SessionPlan;
  accepted: Accepted[];
  /** What a reader saw who followed from the beginning. */
  followed?: SessionEvent[];
}

/** Lives a whole wave on a stack and checks every session of it. */
export async function runWave(stack: Stack, seed: number): Promise<WaveReport> {
  const plan = planWave(seed);
  const runs = join(stack.workspace, `runs-${seed}`);
  mkdirSync(runs);
  const calls = new Map<string, CallsById>(plan.sessions.map(({ name }) => [name, new Map()]));
  for (const session of plan.sessions)
    stack.model.script(session.name, playModel({ plan: session, runs, calls: calls.get(session.name) as CallsById }));
  const person = new Person(stack, calls);
  const began = Date.now();
  const { lived, struck } = await live(stack, plan, person);
  const seconds = Math.round((Date.now() - began) / 1000);
  await person.done();
  const unknown: UnknownEffects = { calls: 0, models: 0 };
  let events = 0;
  for (const session of lived) {
    const found = await checkSession({ stack, session, runs, calls, given: person.given });
    events += found.events;
    unknown.calls += found.unknown.calls;
    unknown.models += found.unknown.models;
  }
  return { struck, events, seconds, unknown, sessions: plan.sessions.map(({ name }) => name) };
}

async function live(stack: Stack, { sessions, strikes }: WavePlan, person: Person) {
  const progress = new Progress(stack, person.hear);
  const over = new AbortController();
  const striking = strikeAll({ stack, progress, strikes, over: over.signal });
  striking.catch(() => undefined); // heard of below, when the sessions are done
  try {
    const lived = await Promise.all(sessions.map((plan) => liveOne(stack, progress, plan)));
    over.abort();
    return { lived, struck: await striking };
  } catch (error) {
    for (const { name } of sessions) console.info(name, JSON.stringify(progress.of(name)));
    throw error;
  } finally {
    over.abort();
    await progress.end();
    await striking.catch(() => undefined);
  }
}

async function liveOne(stack: Stack, progress: Progress, plan: SessionPlan): Promise<Lived> {
  if (plan.reader === 'none') return { plan, accepted: await driveSession({ stack, progress, plan }) };
  let turns = Number.POSITIVE_INFINITY;
  const reading = stack.api.follow(
    plan.name,
    (events) => events.filter(({ type }) => type === 'turn/end').length >= turns,
  );
  const accepted = await driveSession({ stack, progress, plan });
  const written = await readLog(stack.api, plan.name);
  turns = written.filter(({ type }) => type === 'turn/end').length;
  return { plan, accepted, followed: await reading };
}

interface CheckSessionInput {
  stack: Stack;
  session: Lived;
  runs: string;
  calls: ReadonlyMap<string, CallsById>;
  given: readonly GivenAnswer[];
}

async function checkSession({ stack, session: { plan, accepted, followed }, runs, calls, given }: CheckSessionInput) {
  const { name } = plan;
  const events = await stack.api.events(name);
  const { body } = await stack.api.call<{ effects: LedgerEntry[] }>('GET', `/v1/sessions/${name}/effects?limit=1000`);
  try {
    await expectSound(stack, name);
    expect(events.at(-1)?.type).toBe('turn/end');
    if (followed) expect(followed).toEqual(events);
    checkMessages(events, accepted);
    checkAnswers(
      events,
      given.filter(({ session }) => session === name),
    );
    const wanted = { session: name, events, ledger: body.effects, calls: calls.get(name) ?? new Map(), runs };
    return { events: events.length, unknown: checkEffects(wanted) };
  } catch (error) {
    console.info(
      `${name}: ${JSON.stringify({ accepted, log: logLines(events), effects: body.effects }, undefined, 1)}`,
    );
    throw error;
  }
}
