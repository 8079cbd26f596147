import { expect, test } from 'vitest';
import type { SessionId } from '@everturn/core/domain';
import { scriptDetails } from './script-details.ts';

type Described = Parameters<typeof scriptDetails>[0];

test('operators see the phase, how many agents are where, and which work', () => {
  const program = {
    input: { script: { name: 'sweep' } },
    agents: new Map([[2, { seq: 2, label: 'Look *here*', childId: 'sub-1' as SessionId }]]),
    ended: { completed: 1, failed: 0, cancelled: 0 },
    phase: 'search',
    lastLine: 'half',
  } as unknown as Described;
  expect(scriptDetails(program).split('\n')).toEqual([
    '**Script `sweep`**, phase `search`',
    '',
    '- agents: 1 at work, 1 completed, 0 failed, 0 cancelled',
    '- it says: `half`',
    '',
    '- 2. `Look *here*`: `sub-1`',
  ]);
});
