import { beforeEach, expect, test, vi } from 'vitest';
import { NO_USAGE, type SessionInput } from '@everturn/core/protocol';
import type { MessageEntry } from '@everturn/core/domain';
import type { TitleDue, TurnResult } from '../../contract/index.ts';
import { runAsTurn } from './run-turn.ts';
import { openState, type SessionState } from './session-state.ts';
import { takeTitleDue } from './title-by-model.ts';

const sandbox = vi.hoisted(() => ({ result: {} as object, planned: [] as object[] }));
// What a worker's sandbox gives: no recorded run, a turn that has ended, and an activity of the test's own.
vi.mock('@temporalio/workflow', async (original) => ({
  ...(await original<object>()),
  workflowInfo: () => ({ runId: 'run', firstExecutionRunId: 'run', taskQueue: 'q' }),
  patched: () => true,
  setCurrentDetails: () => undefined,
  upsertSearchAttributes: () => undefined,
  proxySinks: () => ({ live: { publish: () => undefined } }),
  proxyActivities: () => ({
    planTitle: async (input: object) => {
      sandbox.planned.push(input);
      return {};
    },
  }),
}));
vi.mock('../shared/stop.ts', () => ({
  Stop: class {
    requested = false;
    request = () => void (this.requested = true);
    effect = async (run: () => Promise<unknown>) => ({ kind: 'returned', value: await run() });
  },
}));
vi.mock('./start-turn.ts', () => ({
  startTurn: async (session: SessionState) => {
    session.lastTurn += 1;
    return { result: async () => sandbox.result };
  },
}));

const message = { requestId: 'm', kind: 'prompt', content: [], source: { kind: 'user' }, preview: '' };
const due = { turn: 1, step: 1, header: { $blob: 'h', bytes: 1 }, message: 4 } as unknown as TitleDue;

let session: SessionState;
beforeEach(() => {
  sandbox.planned = [];
  session = openState({ session: 's', tenant: 't', intent: 'open' } as unknown as SessionInput);
});

async function turnEnds(result: Partial<TurnResult>): Promise<void> {
  sandbox.result = {
    reason: { kind: 'completed' },
    consumed: [],
    discarded: [],
    instance: session.instance,
    usage: NO_USAGE,
    highestAcknowledged: -1,
    preview: '',
    ...result,
  };
  await runAsTurn(session, message as unknown as MessageEntry);
}

test('a turn’s word that a title is due may get lost: its result says it again', async () => {
  await turnEnds({ titleDue: due });
  expect(sandbox.planned).toMatchObject([{ session: 's', message: 4 }]);
});

test('said twice it is asked for once', async () => {
  takeTitleDue(session, due);
  await turnEnds({ titleDue: due });
  expect(sandbox.planned).toHaveLength(1);
});

test('so may word of what a turn wrote: what its result names is not written again', async () => {
  const rename = (requestId: string) => ({ requestId, title: requestId }) as never;
  session.renames = [rename('written'), rename('late')];
  await turnEnds({ consumed: ['written'] as never });
  expect(session.renames).toEqual([rename('late')]);
});
