import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import type { TenantId } from '@everturn/core/domain';
import { waitFor } from '@everturn/core/testing';
import { identify } from '../platform/auth/tenant.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { readBodies } from '../platform/http/json-body.ts';
import { lineUpImports } from './import-place.ts';
import { OneAtATime, type Place, type Visitor } from './one-at-a-time.ts';

test('who is sent away while its body comes is told why, and its connection ends', async () => {
  const visitors: Visitor[] = [];
  let left = 0;
  class Watched extends OneAtATime {
    override enter(visitor: Visitor): Place {
      visitors.push(visitor);
      const place = super.enter(visitor);
      const leave = () => {
        left += 1;
        place.leave();
      };
      return { ...place, leave };
    }
  }
  let asked = 0;
  const server = fastify();
  readBodies(server);
  server.addHook('onRequest', async (request) => identify(request, { tenant: 'acme' as TenantId, keyId: 'k' }));
  server.addHook('preParsing', async () => void (asked += 1));
  lineUpImports(server, new Watched());
  server.post('/v1/sessions/import', () => 'read');
  server.setErrorHandler((error: ApiError, _request, reply) =>
    reply.code(error.status).header('connection', 'close').send(error.problem),
  );
  const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(port), '127.0.0.1');
  const head = ['POST /v1/sessions/import HTTP/1.1', 'host: a', 'content-type: application/zip', 'content-length: 9'];
  socket.write(`${head.join('\r\n')}\r\n\r\nhalf`);
  await waitFor(() => asked === 1, { what: 'the body to be read' });
  const ended = once(socket, 'end');
  let answer = '';
  socket.on('data', (bytes) => (answer += String(bytes)));
  visitors[0]?.sendAway(new ApiError({ code: 'IMPORT_BUSY', message: 'too slow' }));
  await ended;
  expect(answer).toMatch(/^HTTP\/1\.1 429 .*"code":"IMPORT_BUSY","message":"too slow"/s);
  await waitFor(() => left === 1, { what: 'the place to be left' });
  socket.destroy();
  await server.close();
});
