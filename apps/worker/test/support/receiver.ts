import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A notification as it arrived. */
export interface Received {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** Takes notifications by real HTTP; each is answered by `answer`, which a test may exchange. */
export async function startReceiver() {
  const received: Received[] = [];
  const receiver = {
    received,
    url: '',
    answer: (response: ServerResponse): void => void response.writeHead(204).end(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      received.push(JSON.parse(body) as Received);
      receiver.answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return receiver;
}
