import type { SessionId, TenantId } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { runCommand, type HumanCommand } from './commands.ts';

test('a handler that throws or was aborted settles as an error', async () => {
  const command: HumanCommand = {
    name: 'x',
    description: '',
    handler: (input) => {
      if (input) throw new Error('bad input');
      return { kind: 'success', text: 'done' };
    },
  };
  const initiator = { tenant: 't' as TenantId, session: 's' as SessionId, turn: 0, step: 0 };
  const signal = new AbortController().signal;
  expect(await runCommand(command, '', { initiator, signal })).toEqual({ kind: 'success', text: 'done' });
  expect(await runCommand(command, ' a', { initiator, signal })).toEqual({ kind: 'error', text: 'bad input' });
  expect((await runCommand(command, '', { initiator, signal: AbortSignal.abort(new Error('late')) })).kind).toBe(
    'error',
  );
});
