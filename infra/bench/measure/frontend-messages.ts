const typeBytes = 1;
const lengthBytes = 4;
/** The start-up message that opens a session; others (asking for TLS, say) are answered and followed by it. */
const protocolVersion = 196_608;

/**
 * Reads what a client sends to Postgres, cut anywhere, and reports each request it waits for: a simple query, or
 * everything up to a Sync of the extended protocol. The text is that of the statement, on one line.
 */
export function statementsIn(report: (statement: string) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let phase: 'start-up' | 'session' = 'start-up';
  let parsed = '';
  const take = (type: string, body: Buffer): void => {
    if (type === 'P') parsed = textsIn(body)[1] ?? '';
    if (type === 'Q') report(oneLine(textsIn(body)[0] ?? ''));
    if (type === 'S') report(oneLine(parsed));
  };
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    for (;;) {
      const head = phase === 'session' ? typeBytes : 0;
      if (rest.length < head + lengthBytes) return;
      const end = head + rest.readUInt32BE(head);
      if (rest.length < end) return;
      const body = rest.subarray(head + lengthBytes, end);
      if (phase === 'session') take(String.fromCharCode(rest[0] ?? 0), body);
      else if (body.readUInt32BE(0) === protocolVersion) phase = 'session';
      rest = rest.subarray(end);
    }
  };
}

function textsIn(body: Buffer): string[] {
  return body.toString('utf8').split('\0', 2);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
