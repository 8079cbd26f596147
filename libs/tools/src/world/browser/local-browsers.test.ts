import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionId } from '@everturn/core/domain';
import { waitFor } from '@everturn/core/testing';
import { expect, test } from 'vitest';
import { openWorkspace, temporaryDirectory } from '../../../test/workspace.ts';
import { sessionBrowser } from '../../kit/index.ts';
import type { BrowserLimits } from './local-browsers.ts';

/** A machine whose browser is a program that only says where it could be spoken to. */
async function setUp(browserLimits: Partial<BrowserLimits>) {
  const chromium = join(temporaryDirectory(), 'chromium');
  const script = '#!/bin/sh\necho "DevTools listening on ws://127.0.0.1:1/devtools" >&2\nexec sleep 600\n';
  writeFileSync(chromium, script, { mode: 0o755 });
  const { context, world } = await openWorkspace({ chromium, browserLimits });
  return { of: (session: string) => sessionBrowser(context({ resources: world.resources.of(session as SessionId) })) };
}

test('the one unused for longest makes room; its session is told once and gets another', async () => {
  const { of } = await setUp({ browsers: 2 });
  const [first, second] = [await of('a'), await of('b')];
  expect(await of('a')).toBe(first);
  const [third, fourth] = await Promise.all([of('c'), of('d')]);
  expect([first, second, third, fourth].map(({ ended }) => ended)).toEqual(['unused', 'unused', false, false]);
  await expect(of('a')).rejects.toThrow('closed because nobody used it for long, and nothing was done');
  expect((await of('a')).ended).toBe(false);
});

test('one that nobody uses is ended', async () => {
  const { of } = await setUp({ idleMs: 50 });
  const browser = await of('a');
  expect(await waitFor(() => browser.ended, { what: 'the browser to be ended' })).toBe('unused');
});
