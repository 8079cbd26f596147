import type { KyselyPlugin } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { Database } from '@everturn/core/postgres';
import { openTestDatabase } from '@everturn/core/testing';
import { openProjection } from '../../../worker/src/projection/index.ts';
import { LogWriter } from '../../test/support/log-writer.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { MessagesService } from './messages.service.ts';

const { database, drop } = await openTestDatabase();
const projection = openProjection({ database, owner: 'messages-test' });
afterAll(async () => {
  await projection.notifier.flushed();
  await drop();
});

test('messages reflect the log up to the seq they are said to be of, although it grows while they are read', async () => {
  const writer = await LogWriter.open(projection);
  await writer.beginTurn('before');
  let grown = false;
  const growing: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!grown) {
        grown = true;
        await writer.endTurn();
        await writer.beginTurn('after');
      }
      return result;
    },
  };
  const service = new MessagesService(database.withPlugin(growing) as Database, new SessionAccess(database));
  const read = await service.messages(writer.key);
  expect(read).toEqual({ messages: [{ role: 'user', content: [{ type: 'text', text: 'before' }] }], asOfSeq: 2 });
  const again = await service.messages(writer.key);
  expect([again.messages.length, again.asOfSeq]).toEqual([2, 7]);
});
