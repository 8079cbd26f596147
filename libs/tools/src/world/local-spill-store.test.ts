import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SessionId } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../test/workspace.ts';
import { encodeName, LocalSpillStore } from './local-spill-store.ts';

const session = 's-1' as SessionId;

test('a text is kept privately, apart for each session, and never over another', async () => {
  const root = join(temporaryDirectory(), 'spill');
  const store = new LocalSpillStore(root);
  const [first, second] = await Promise.all([
    store.save({ session, name: 'bash.txt', text: 'one' }),
    store.save({ session, name: 'bash.txt', text: 'two' }),
  ]);
  expect([readFileSync(first.locator, 'utf8'), readFileSync(second.locator, 'utf8')]).toEqual(['one', 'two']);
  expect(dirname(first.locator)).toBe(
    join(root, `session-${createHash('sha256').update(session).digest('hex').slice(0, 12)}`),
  );
  expect(first.locator).toMatch(/\/[0-9a-f]{12}-bash\.txt$/);
  expect([root, dirname(first.locator), first.locator].map((path) => statSync(path).mode & 0o777)).toEqual([
    0o700, 0o700, 0o600,
  ]);
  expect(first.hint).toMatch(/read.*grep/);
});

test.each([
  ['bash.txt', 'bash.txt'],
  ['../x', '..~002Fx'],
  ['', '~'],
  ['.', '~002E'],
  ['..', '~002E~002E'],
  ['é 🙂', '~00E9~0020~D83D~DE42'],
])('the name %j becomes %j', (name, segment) => {
  expect(encodeName(name)).toBe(segment);
});
