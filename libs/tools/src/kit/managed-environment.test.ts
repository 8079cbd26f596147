import type { SessionId } from '@everturn/core/domain';
import { describe, expect, test } from 'vitest';
import { ManagedEnvironment } from './managed-environment.ts';

const source = (keys: string[], values: Record<string, unknown> = {}, owner = 'o') => ({
  owner,
  keys,
  collect: () => values as Record<string, string>,
});

describe('ManagedEnvironment', () => {
  test('is sorted, frozen, and each session has its own', () => {
    const environment = new ManagedEnvironment();
    const remove = environment.register(source(['EVERTURN_A'], { EVERTURN_A: '1' }));
    const parent = environment.collect({ home: '/h', session: 'parent' as SessionId });
    expect(Object.entries(parent)).toEqual([
      ['EVERTURN_A', '1'],
      ['EVERTURN_HOME', '/h'],
      ['EVERTURN_SESSION_ID', 'parent'],
      ['EVERTURN_SHELL', '1'],
    ]);
    expect(Object.isFrozen(parent)).toBe(true);
    remove();
    expect(environment.collect({ home: '/h' })).toEqual({ EVERTURN_HOME: '/h', EVERTURN_SHELL: '1' });
  });

  test.each([['OTHER'], ['EVERTURN_'], ['EVERTURN_a'], ['EVERTURN_HOME'], ['EVERTURN_SHELL'], ['EVERTURN_SESSION_ID']])(
    'refuses the key %s',
    (key) => {
      expect(() => new ManagedEnvironment().register(source([key]))).toThrow(key);
    },
  );

  test('refuses a second source of one owner, keys that were not declared, and what is no text', () => {
    const twice = new ManagedEnvironment();
    twice.register(source([]));
    expect(() => twice.register(source([]))).toThrow('"o" is registered already');
    for (const [values, message] of [
      [{ EVERTURN_B: '1' }, 'did not declare'],
      [{ EVERTURN_A: 1 }, 'must be a string'],
    ] as const) {
      const environment = new ManagedEnvironment();
      environment.register(source(['EVERTURN_A'], values));
      expect(() => environment.collect({ home: '/h' })).toThrow(message);
    }
  });
});
