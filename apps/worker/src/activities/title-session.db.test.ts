import { expect, onTestFinished, test, vi } from 'vitest';
import { text, TITLE_TIMEOUT_MS, type AuthoredEvent } from '@everturn/core/domain';
import { waitFor } from '@everturn/core/testing';
import { titleClaim } from '../contract/index.ts';
import { commit, settle } from '../projection/index.ts';
import { author, newSession, source } from '../projection/test/test-session.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { model, projection } from './testing/servers.ts';
import { attempt, testProcess } from './testing/test-process.ts';
import { titleActivities } from './title-session.ts';

/** A session in which people said so much, and somebody gave these titles. */
async function sessionOf(said: string[], titles: ({ kind: 'fallback' } | { kind: 'user' })[] = []) {
  const deps = await testProcess({ projection, model });
  const session = await newSession();
  const by = author('t1');
  const events = [
    by('turn/start', { turn: 1, trigger: { kind: 'message', source } }),
    ...said.map((words) =>
      by('user/message', { content: [text(words)], source: { kind: 'user' } }, 0, { surfaceOp: 'append' }),
    ),
    ...titles.map((given) => by('session/title', { title: 'so far', messageSeqs: [], source: given })),
  ] as AuthoredEvent[];
  await commit(deps.projection, { ...session.ref, commit: { events, highestAcknowledged: -1 } });
  const header = await deps.values.store(session.ref.tenant, { config: { provider: 'scripted', model: 'talker' } });
  return { deps, ref: session.ref, due: { turn: 1, step: 1, header, message: said.length } };
}

const withTitles = (deps: ActivityDeps, titles: ActivityDeps['titles']) => titleActivities({ ...deps, titles });

test('the first prompt alone is asked about, or all of them, as the deployment says; a title of a person stays', async () => {
  const { deps, ref, due } = await sessionOf(['first', 'second'], [{ kind: 'fallback' }]);
  const plan = (titles: ActivityDeps['titles']) =>
    attempt(withTitles(deps, titles).planTitle, { ...ref, ...due }).result;
  const route = { provider: 'scripted', model: 'talker' };
  expect(await plan({ cadence: 'off' })).toEqual({});
  expect(await plan({ cadence: 'first-prompt' })).toMatchObject({ request: { messageSeqs: [2], route } });
  const other = { provider: 'scripted', model: 'namer' };
  expect(await plan({ cadence: 'every-prompt', route: other })).toMatchObject({
    request: { messageSeqs: [1, 2], route: other, messages: [{ role: 'user', content: [text('first\n\nsecond')] }] },
  });
  const named = await sessionOf(['first'], [{ kind: 'fallback' }, { kind: 'user' }]);
  const { planTitle } = withTitles(named.deps, { cadence: 'every-prompt' });
  expect(await attempt(planTitle, { ...named.ref, ...named.due }).result).toEqual({});
});

test('a title is asked for once, and what it cost is told with it', async () => {
  let asked = 0;
  model.script('namer', (request) => {
    asked += 1;
    expect(request).toMatchObject({ purpose: 'session-title', lastUser: 'build fails' });
    return { text: '"Failing build"' };
  });
  const { deps, ref, due } = await sessionOf(['build fails']);
  const { planTitle, askTitle } = withTitles(deps, {
    cadence: 'first-prompt',
    route: { provider: 'scripted', model: 'namer' },
  });
  const { request } = await attempt(planTitle, { ...ref, ...due }).result;
  if (!request) throw new Error('nothing to ask');
  const input = { ...ref, ...due, claim: titleClaim(due.message), request };
  const first = await attempt(askTitle, input).result;
  expect(first.outcome).toMatchObject({
    kind: 'title',
    title: 'Failing build',
    usage: { outputTokens: expect.any(Number) },
  });
  expect(await attempt(askTitle, input).result).toEqual(first);
  expect(asked).toBe(1);
});

test('a model that fails, and one nobody waits for, give a failure', async () => {
  model.script('namer', () => ({ fault: { kind: 'status', status: 500 } }));
  const { deps, ref, due } = await sessionOf(['go']);
  const { planTitle, askTitle } = withTitles(deps, {
    cadence: 'first-prompt',
    route: { provider: 'scripted', model: 'namer' },
  });
  const { request } = await attempt(planTitle, { ...ref, ...due }).result;
  if (!request) throw new Error('nothing to ask');
  const failed = await attempt(askTitle, { ...ref, ...due, claim: titleClaim(1), request }).result;
  expect(failed.outcome).toMatchObject({ kind: 'failure', failure: { code: 'SERVER' } });

  model.script('namer', () => ({ text: 'late', hold: 'title' }));
  const claim = titleClaim(2);
  const running = attempt(askTitle, { ...ref, ...due, claim, request });
  await model.held('title');
  running.cancel();
  expect((await running.result).outcome).toMatchObject({ kind: 'failure', failure: { code: 'ABORTED' } });
  await waitFor(async () => (await settle(deps.projection, { ...ref, claims: [claim], live: 'wait' })) !== undefined, {
    what: 'the claim to be settled',
  });
});

test('a title that takes too long is not waited for', async () => {
  model.script('namer', () => ({ text: 'late', hold: 'slow-title' }));
  const { deps, ref, due } = await sessionOf(['go']);
  const route = { provider: 'scripted', model: 'namer' };
  const { planTitle, askTitle } = withTitles(deps, { cadence: 'first-prompt', route });
  const { request } = await attempt(planTitle, { ...ref, ...due }).result;
  if (!request) throw new Error('nothing to ask');
  const { timeout } = AbortSignal;
  const asked: number[] = [];
  // A minute of the limit's, and of nobody else's, is short.
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    asked.push(ms);
    return timeout.call(AbortSignal, ms === TITLE_TIMEOUT_MS ? 50 : ms);
  });
  onTestFinished(() => spy.mockRestore());
  const { outcome } = await attempt(askTitle, { ...ref, ...due, claim: titleClaim(1), request }).result;
  expect([asked[0], outcome]).toEqual([
    60_000,
    { kind: 'failure', failure: { code: 'SESSION_TITLE_TIMEOUT', message: 'no title came within 60 seconds' } },
  ]);
});
