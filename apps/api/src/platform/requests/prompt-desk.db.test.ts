import { Client, Connection } from '@temporalio/client';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiConfig } from '@everturn/core/config';
import type { RequestId, SessionId, TenantId } from '@everturn/core/domain';
import { readPrompt, startSessionRow } from '@everturn/core/postgres';
import { openTestDatabase, testTemporal, waitFor } from '@everturn/core/testing';
import { blockableProxy, type BlockableProxy } from '../../../test/support/blockable-proxy.ts';
import { SessionMessenger } from '../delivery/session-messenger.ts';
import { UpdateBudget } from '../delivery/update-budget.ts';
import { Announcer } from '../follow/announcer.ts';
import { PromptDesk } from './prompt-desk.ts';
import { RequestDesk } from './request-desk.ts';

const { database, drop } = await openTestDatabase();
let proxy: BlockableProxy;
let direct: Client;
let silenced: Client;

beforeAll(async () => {
  const { address, namespace } = await testTemporal();
  proxy = await blockableProxy(Number(address.split(':')[1]));
  const [own, through] = await Promise.all([
    Connection.connect({ address }),
    Connection.connect({ address: `127.0.0.1:${proxy.port}` }),
  ]);
  [direct, silenced] = [new Client({ connection: own, namespace }), new Client({ connection: through, namespace })];
});
afterAll(async () => {
  await Promise.all([direct.connection.close(), silenced.connection.close()]);
  await proxy.close();
  await drop();
});

test('a message that came although nobody said so in time is taken back where its sender was told that it is withdrawn', async () => {
  const key = { tenant: 'acme' as TenantId, session: `s-${crypto.randomUUID()}` as SessionId };
  await startSessionRow(database, { ...key, header: { version: 0, id: key.session, createdAt: 1 }, options: {} });
  const config = { temporal: { taskQueue: 'nobody' } } as ApiConfig; // nothing else of it is read
  const messenger = new SessionMessenger(silenced, config);
  const announcer = new Announcer(database, pino({ level: 'silent' }));
  // So many updates were sent that it goes as a signal at once.
  const [budget, openTurn] = [new UpdateBudget(), 1];
  while (budget.next(key.session, openTurn) === 'update');
  const desk = new PromptDesk(database, new RequestDesk(database), messenger, budget, announcer);
  const requestId = 'req-1' as RequestId;
  proxy.silence();
  const submitted = desk.submit({
    key,
    request: { requestId, history: 'new' },
    mode: 'send',
    content: [{ type: 'text', text: 'hello' }],
    source: { kind: 'user' },
    intent: 'open',
    openTurn,
    onOutage: 'withdraw',
  });
  await expect(submitted).rejects.toMatchObject({ code: 'TEMPORAL_UNAVAILABLE' });
  expect((await readPrompt(database, { ...key, promptId: requestId }))?.state).toBe('discarded');
  const signals = async () => {
    const { events } = await direct.workflow.getHandle(`session:${key.session}`).fetchHistory();
    return (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
      signal ? [[signal.signalName, JSON.parse(Buffer.from(signal.input?.payloads?.[0]?.data ?? []).toString())]] : [],
    );
  };
  const sent = await waitFor(async () => (await signals()).length > 1 && signals(), { what: 'it to be taken back' });
  expect(sent.slice(0, 2)).toEqual([
    ['submitPrompt', expect.objectContaining({ requestId })],
    ['withdraw', { message: requestId }],
  ]);
  proxy.unblock();
});
