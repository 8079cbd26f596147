import { createApiKey } from '@everturn/core/postgres';
import { neededProgram } from '@everturn/core/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bash, scripted } from '../../worker/test/support/model-scripts.ts';
import { startStack, type Stack } from '../../worker/test/support/stack.ts';
import { startNginx, type Nginx } from './support/nginx.ts';
import { SseReader } from './support/sse-reader.ts';

const nginx = neededProgram('nginx');
const QUIET_S = 40;
const FIRST = 'delta-one ';

describe.skipIf(nginx.absent)(`behind a proxy that buffers and cuts off who is silent for 10 s${nginx.note}`, () => {
  let stack: Stack;
  let proxy: Nginx;
  beforeAll(async () => {
    stack = await startStack();
    proxy = await startNginx({ file: nginx.file, apiPort: Number(stack.apiProcess().ready['port']) });
  });
  afterAll(async () => {
    await proxy?.stop();
    await stack?.stop();
  });

  test(
    `a stream outlives a tool that is quiet for ${QUIET_S} s, and its next text comes at once`,
    { timeout: 180_000 },
    async () => {
      const { secret } = await createApiKey(stack.database, { tenant: stack.tenant });
      const session = await stack.api.create(
        scripted(stack, 'quiet', (request) =>
          request.messages.some(({ role }) => role === 'tool')
            ? { text: [FIRST, 'and the rest'], hold: { gate: 'after-first', afterDeltas: 1 } }
            : { toolCalls: [bash(`sleep ${QUIET_S}`, (QUIET_S + 20) * 1000)] },
        ),
      );
      const readers = await Promise.all(
        [proxy.plainUrl, proxy.currentUrl].map((url) =>
          SseReader.open({ api: { url, keyOf: async () => secret }, path: `/v1/sessions/${session}/events` }),
        ),
      );
      await stack.api.prompt(session, 'go');
      const calledAt = await whenAll(readers, 'the call', ({ type }) => type === 'tool/call');
      const before = readers.map(({ comments }) => comments);

      // The provider has sent one delta and keeps its answer open, so nothing but that delta can reach the readers.
      await stack.model.held('after-first');
      const sentAt = Date.now();
      const seenAt = await whenAll(readers, 'the first delta', (event) => JSON.stringify(event).includes(FIRST));
      stack.model.release('after-first');
      await whenAll(readers, 'the end', ({ type }) => type === 'turn/end');

      expect(sentAt - calledAt).toBeGreaterThan(QUIET_S * 1000 - 2_000);
      expect(seenAt - sentAt).toBeLessThan(1_000);
      const log = await stack.api.events(session);
      for (const [index, reader] of readers.entries()) {
        expect(reader.response.headers.get('content-encoding')).toBe('gzip');
        expect(reader.comments - (before[index] ?? 0)).toBeGreaterThanOrEqual(Math.floor(QUIET_S / 10));
        // One connection from the first to the last event, and an id for each event and for nothing else.
        expect(reader.seqs).toEqual(log.map(({ seq }) => seq));
        expect(reader.text.split('\n').filter((line) => line.startsWith('id:'))).toHaveLength(log.length);
      }
      await Promise.all(readers.map((reader) => reader.close()));
      expect(proxy.logs()).not.toMatch(/timed out|prematurely/);
    },
  );
});

/** Waits until every reader has such an event, and returns when. */
async function whenAll(
  readers: SseReader[],
  what: string,
  matches: (event: SseReader['events'][number]) => boolean,
): Promise<number> {
  await Promise.all(readers.map((reader) => reader.until(what, ({ events }) => events.some(matches), 90_000)));
  return Date.now();
}
