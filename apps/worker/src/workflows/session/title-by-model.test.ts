import { beforeEach, expect, test, vi } from 'vitest';
import type { SessionInput } from '@everturn/core/protocol';
import type { TitleDue } from '../../contract/index.ts';
import { openState, type SessionState } from './session-state.ts';
import { renameSession } from './session-title.ts';
import { takeTitleDue } from './title-by-model.ts';

const sandbox = vi.hoisted(() => ({ answers: [] as ((title: string) => void)[], written: [] as unknown[] }));
// What a worker's sandbox gives: no recorded run, and a model that answers when the test says.
vi.mock('@temporalio/workflow', async (original) => ({
  ...(await original<object>()),
  workflowInfo: () => ({ runId: 'run', firstExecutionRunId: 'run', taskQueue: 'q' }),
  condition: async () => undefined,
  setCurrentDetails: () => undefined,
  proxySinks: () => ({ live: { publish: () => undefined } }),
  proxyActivities: () => ({
    planTitle: async ({ message }: TitleDue) => ({
      request: { messageSeqs: [message], route: { provider: 'p', model: 'm' } },
    }),
    askTitle: () =>
      new Promise((resolve) => {
        sandbox.answers.push((title) => resolve({ outcome: { kind: 'title', title } }));
      }),
  }),
}));
vi.mock('../shared/stop.ts', () => ({
  Stop: class {
    requested = false;
    request = () => void (this.requested = true);
    effect = async (run: () => Promise<unknown>) => ({ kind: 'returned', value: await run() });
  },
}));
vi.mock('./session-facts.ts', () => ({
  writeSoon: (_session: object, about: { events: { type: string; data: object }[]; written?: () => void }) => {
    for (const { type, data } of about.events) if (type === 'session/title') sandbox.written.push(data);
    about.written?.();
  },
}));

const due = (message: number) => ({ turn: 1, step: 1, header: {}, message }) as unknown as TitleDue;
const title = (words: string, message: number) => ({
  title: words,
  messageSeqs: [message],
  source: { kind: 'provider', provider: 'p', model: 'm' },
});

let session: SessionState;
beforeEach(() => {
  Object.assign(sandbox, { answers: [], written: [] });
  session = openState({ session: 's', tenant: 't', intent: 'open' } as unknown as SessionInput);
});
const asked = (times: number) => vi.waitFor(() => expect(sandbox.answers).toHaveLength(times), 30_000);
const settled = () => vi.waitFor(() => expect(session.errands).toBe(0), 30_000);

test('a title for a message is not written once a later one is asked about', async () => {
  takeTitleDue(session, due(4));
  await asked(1);
  takeTitleDue(session, due(9));
  await asked(2);
  sandbox.answers[1]?.('of the second');
  sandbox.answers[0]?.('of the first, late');
  await settled();
  expect([sandbox.written, session.title]).toEqual([[title('of the second', 9)], 'of the second']);
});

test('nor once a person gave one, and then none is asked for any more', async () => {
  takeTitleDue(session, due(4));
  await asked(1);
  renameSession(session, { requestId: 'r', title: 'mine' } as never);
  sandbox.answers[0]?.('of a model');
  await settled();
  takeTitleDue(session, due(9));
  await settled();
  expect([sandbox.written, session.title, sandbox.answers.length]).toEqual([[], 'mine', 1]);
});
