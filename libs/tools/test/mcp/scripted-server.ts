// A program: an MCP server over standard streams whose faults are asked for by the names of its tools.
import { appendFileSync, readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const [mode = 'plain', journal] = process.argv.slice(2);
const note = (what: string) => journal !== undefined && appendFileSync(journal, `${what}\n`);
note(`start ${process.pid}`);
if (mode === 'crash-loop') process.exit(7);
process.stdout.write('Server v1 ready\n{"half":\n'); // log lines where only messages belong

const object = { type: 'object', properties: {} };
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
let extra = false;

const odd: Record<string, unknown> = {
  'any-of': { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'object' }] },
  'a-string': { type: 'string' },
  untyped: {},
  circle: { type: 'object', properties: { n: { $ref: '#/$defs/N' } }, $defs: { N: { $ref: '#/$defs/N' } } },
  lost: { type: 'object', properties: { n: { $ref: '#/$defs/N' } } },
  huge: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 3_000 }, (_, n) => [`property${n}`, { type: 'string', description: 'x'.repeat(70) }]),
    ),
  },
  proto: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}'),
};

const listed = (): unknown[] => {
  if (mode === 'twice')
    return [
      { name: 'ok', inputSchema: object },
      { name: 'ok', inputSchema: object },
    ];
  if (mode === 'odd') return ['ok', ...Object.keys(odd)].map((name) => ({ name, inputSchema: odd[name] ?? object }));
  const names = [
    'ok',
    'die',
    'sleep',
    'stubborn',
    'grow',
    'shrink',
    'fail',
    'env',
    'big',
    'a.b',
    'legacy',
    'structured',
    'leak',
    'images',
  ];
  return [...names, ...(extra ? ['extra'] : [])].map((name) => ({
    name,
    description: `Does ${name}.`,
    inputSchema: object,
    ...(name === 'structured' && {
      outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    }),
    ...(name === 'shrink' && { execution: { taskSupport: 'required' } }),
  }));
};

/** Whether no process of this journal was started before. */
const isFirst = () => journal !== undefined && readFileSync(journal, 'utf8').match(/^start /gm)?.length === 1;

const server = new Server(
  { name: 'scripted', version: '1' },
  { capabilities: { tools: { listChanged: true }, resources: {} } },
);

// Two entries a page, so that every list is paged.
server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
  if (mode === 'dies-listing' && isFirst()) process.exit(1);
  const at = Number(params?.cursor ?? 0);
  const all = listed();
  return { tools: all.slice(at, at + 2), ...(at + 2 < all.length && { nextCursor: String(at + 2) }) } as never;
});

server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
  note(`call ${params.name} ${JSON.stringify(params.arguments)}`);
  switch (params.name) {
    case 'die':
      process.stderr.write('the disk is on fire\n');
      process.exit(1);
      break;
    case 'sleep':
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve, { once: true });
        setTimeout(resolve, 60_000).unref();
      });
      note('slept');
      return text('slept');
    case 'stubborn': // ignores every cancel
      note('stubborn');
      await new Promise((resolve) => {
        setTimeout(resolve, 60_000).unref();
      });
      return text('late');
    case 'grow':
      extra = true;
      await server.sendToolListChanged();
      return text('grown');
    case 'fail':
      return { ...text('it went wrong'), isError: true };
    case 'env':
      return text(JSON.stringify(process.env));
    case 'leak':
      process.stderr.write(`using ${process.env['MY_TOKEN']}\n`);
      process.exit(1);
      break;
    case 'big':
      return text('x'.repeat(3_000_000));
    case 'images':
      return {
        content: ((params.arguments ?? {})['data'] as string[]).map((data) => ({
          type: 'image',
          data,
          mimeType: 'image/png',
        })),
      };
    case 'legacy':
      return { toolResult: { old: true } };
    case 'structured':
      return { ...text('7'), structuredContent: { n: params.arguments?.['n'] ?? 'seven' } };
    default:
  }
  return text(`${params.name} ${JSON.stringify(params.arguments)}`);
});

server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => {
  const at = Number(params?.cursor ?? 0);
  const resources = [0, 1, 2].slice(at, at + 2).map((n) => ({ uri: `note://${n}`, name: `note ${n}` }));
  return { resources, ...(at === 0 && { nextCursor: '2' }) };
});
server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
  resourceTemplates: [{ uriTemplate: 'note://{n}', name: 'a note' }],
}));
server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => ({
  contents: [
    { uri, text: `the text of ${uri}` },
    { uri, blob: 'AAECAw==' },
  ],
}));

if (mode === 'mute-again') {
  if (isFirst()) process.exit(1);
  process.stdin.resume(); // hears everything and says nothing
} else await server.connect(new StdioServerTransport());
