import { appendFileSync } from 'node:fs';
import {
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type CancellationToken,
} from 'vscode-jsonrpc/node';

// A language server that does what a test tells it, spoken to over the real protocol. Run by Node, never imported.

/** What the server is told on its command line, as JSON. */
export interface ServerScript {
  /** Gets a line for each thing that happens: `start <pid>`, methods, what was opened. */
  journal: string;
  capabilities?: Record<string, unknown>;
  /** Answers by method. */
  answers?: Record<string, unknown>;
  /** `never-initialize`: it starts and says nothing. `crash-on-open`: it dies at the first document, each time.
   * `crash-once`: only the first process of the journal does. `deaf`: it answers no question, cancelled or not.
   * `polite`: it answers a question only when that is cancelled. `huge`: its answer announces 20 MB.
   * `noise`: it writes a line of text to its output. `ask-back`: it asks its client before it answers.
   * `reads-no-more`: it reads no further than the beginning of its first document. */
  fault?:
    | 'never-initialize'
    | 'crash-on-open'
    | 'crash-once'
    | 'deaf'
    | 'polite'
    | 'huge'
    | 'noise'
    | 'ask-back'
    | 'reads-no-more';
  /** ms until it answers `initialize`. */
  slowMs?: number;
}

const script = JSON.parse(process.argv[2] ?? '{}') as ServerScript;
const note = (line: string) => appendFileSync(script.journal, `${line}\n`);
const connection = createMessageConnection(
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);

note(`start ${process.pid}`);
note(`environment ${JSON.stringify(process.env)}`);
if (script.fault === 'noise') process.stdout.write(`Server v1 ready\r\n\r\n`);

const fullCapabilities = {
  textDocumentSync: { openClose: true, change: 2 },
  definitionProvider: true,
  referencesProvider: {},
  implementationProvider: true,
  hoverProvider: true,
};

connection.onRequest('initialize', (params: unknown) => {
  note(`initialize ${JSON.stringify(params)}`);
  if (script.fault === 'never-initialize') return new Promise(() => undefined);
  const answer = { capabilities: script.capabilities ?? fullCapabilities };
  return new Promise((resolve) => setTimeout(() => resolve(answer), script.slowMs ?? 0));
});
connection.onNotification('initialized', () => {
  if (script.fault !== 'reads-no-more') return;
  process.stdin.once('data', () => {
    process.stdin.pause();
    note('paused');
  });
  setInterval(() => undefined, 60_000); // or nothing would keep it alive
});
connection.onNotification('textDocument/didOpen', ({ textDocument }: { textDocument: { text: string } }) => {
  note(`open ${JSON.stringify(textDocument.text)}`);
  if (script.fault === 'crash-on-open' || (script.fault === 'crash-once' && isFirst())) {
    process.stderr.write('fatal: out of cheese\n');
    process.exit(7);
  }
});
connection.onNotification('textDocument/didClose', () => note('close'));
connection.onRequest('shutdown', () => {
  note('shutdown');
  return null;
});
connection.onNotification('exit', () => process.exit(0));
connection.onRequest(async (method: string, params: unknown, token: CancellationToken) => {
  note(`ask ${method} ${JSON.stringify(params)}`);
  token.onCancellationRequested(() => note('cancelled'));
  if (script.fault === 'deaf') return new Promise(() => undefined);
  if (script.fault === 'polite') return new Promise((resolve) => token.onCancellationRequested(() => resolve(null)));
  if (script.fault === 'huge') process.stdout.write('Content-Length: 20000000\r\n\r\n');
  if (script.fault === 'ask-back') await askBack();
  return script.answers?.[method] ?? null;
});
connection.listen();

function isFirst(): boolean {
  const journal = process.getBuiltinModule('node:fs').readFileSync(script.journal, 'utf8');
  return journal.split('\n').filter((line) => line.startsWith('start ')).length === 1;
}

async function askBack(): Promise<void> {
  const asked: [string, unknown][] = [
    ['workspace/configuration', { items: [{ section: 'demo.level' }, { section: 'absent' }] }],
    ['workspace/applyEdit', { edit: {} }],
    ['client/registerCapability', { registrations: [{ id: '1', method: 'textDocument/hover' }] }],
  ];
  for (const [method, params] of asked)
    note(`answered ${JSON.stringify(await connection.sendRequest(method, params))}`);
}
