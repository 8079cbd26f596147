import { expect, test, vi } from 'vitest';
import { callChild, EARLIER_WORK, type RequestId, type SessionId } from '@everturn/core/domain';
import type { SessionInput } from '@everturn/core/protocol';
import type { ChildActivities } from '../../contract/index.ts';
import { lookAfterChildren } from './look-after-children.ts';
import { settleDue } from './settle-session.ts';
import { openState } from './session-state.ts';

const sandbox = vi.hoisted(() => ({ look: vi.fn<ChildActivities['lostChildren']>() }));
vi.mock('@temporalio/workflow', async (original) => ({
  ...(await original<object>()),
  patched: () => true,
  setCurrentDetails: () => undefined,
  proxySinks: () => ({ live: { publish: () => undefined } }),
  proxyActivities: () => ({ lostChildren: sandbox.look }),
}));

const [idle, asked] = ['idle', 'asked'] as SessionId[] as [SessionId, SessionId];
const owner = { session: 'lead', mode: 'continuable' };

test('an owner is done though an agent that worked for an earlier life of it never says that it rests', async () => {
  const session = openState({ session: 's', tenant: 't', intent: 'resume', owner } as unknown as SessionInput);
  session.children = [idle, asked].reduce((open, child) => callChild(open, child, EARLIER_WORK), session.children);
  session.children = callChild(session.children, asked, 'new' as RequestId);
  sandbox.look.mockResolvedValue({ lost: [], rested: [idle, asked] });
  await lookAfterChildren(session);
  expect(sandbox.look.mock.calls[0]?.[0]).toMatchObject({ children: [idle, asked], earlier: [idle, asked] });
  expect([session.children, session.settlements, settleDue(session)]).toEqual([{ [asked]: ['new'] }, [], false]);

  session.children = callChild({}, idle, EARLIER_WORK);
  await lookAfterChildren(session);
  expect([session.children, settleDue(session)]).toEqual([{}, true]);
});

test('nobody is looked for that worked for an earlier life where none did', async () => {
  const session = openState({ session: 's', tenant: 't', intent: 'resume', owner } as unknown as SessionInput);
  session.children = callChild({}, asked, 'new' as RequestId);
  sandbox.look.mockReset().mockResolvedValue({ lost: [] });
  await lookAfterChildren(session);
  expect(sandbox.look.mock.calls[0]?.[0]).not.toHaveProperty('earlier');
  expect(session.children).toEqual({ [asked]: ['new'] });
});
