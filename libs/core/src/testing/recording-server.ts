import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface RecordedRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A real HTTP server that keeps what it was asked. */
export interface RecordingServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  requests: RecordedRequest[];
  /** What answers the next request; one that does nothing lets its client wait. At first: 204. */
  answer(response: ServerResponse): void;
  close(): void;
}

/** Listens on a free port of loopback. */
export async function startRecordingServer(answer?: RecordingServer['answer']): Promise<RecordingServer> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      recording.requests.push({ url: request.url ?? '', headers: request.headers, body });
      recording.answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const recording: RecordingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer: answer ?? ((response) => void response.writeHead(204).end()),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return recording;
}
