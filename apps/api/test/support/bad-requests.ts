import { expect } from 'vitest';

/** A refused request's body, naming its fields. */
export const problem = (code: string, ...fields: string[]) => ({
  code,
  message: expect.any(String),
  details:
    fields.length === 0
      ? expect.any(Object)
      : { issues: fields.map((field) => ({ field, message: expect.any(String) })) },
});

/** A session there is, its prompts, and the folder the API keeps its data in. */
interface At {
  session: string;
  prompts: string;
  folder: string;
}
type Made = [method: string, path: string, options: object];
/** What is wrong, the request, its status and its answer. */
export type BadRequest = [what: string, request: (at: At) => Made, status: number, body: object];

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const climbing = (folder: string): object => ({
  times: { cron: ['@daily'] },
  prompt: 'p',
  create: { workspace: `${folder}/workspaces/../../etc` },
});
const text = (value: string) => [{ type: 'text', text: value }];

/** Requests the API refuses before it does anything. */
export const BAD_REQUESTS: readonly BadRequest[] = [
  ['JSON that is none', ({ prompts }) => ['POST', prompts, { raw: '{"content": ' }], 400, problem('INVALID_JSON')],
  [
    'bytes that are no UTF-8',
    ({ prompts }) => ['POST', prompts, { raw: new Uint8Array([0x22, 0xff, 0x22]) }],
    400,
    problem('INVALID_JSON'),
  ],
  ['no body', ({ prompts }) => ['POST', prompts, {}], 400, problem('INVALID_REQUEST', 'body')],
  [
    'another media type',
    ({ prompts }) => [
      'POST',
      prompts,
      { raw: 'content=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    415,
    problem('UNSUPPORTED_MEDIA_TYPE'),
  ],
  [
    'a wrong type',
    ({ prompts }) => ['POST', prompts, { json: { content: 5 } }],
    400,
    problem('INVALID_REQUEST', 'body.content'),
  ],
  [
    'an unknown field',
    ({ prompts }) => ['POST', prompts, { json: { content: 'a', colour: 1 } }],
    400,
    problem('INVALID_REQUEST', 'body.colour'),
  ],
  [
    'empty content',
    ({ prompts }) => ['POST', prompts, { json: { content: ' \n' } }],
    400,
    problem('EMPTY_CONTENT', 'body.content'),
  ],
  [
    'no content at all',
    ({ prompts }) => ['POST', prompts, { json: { content: [] } }],
    400,
    problem('EMPTY_CONTENT', 'body.content'),
  ],
  [
    'a NUL character',
    ({ prompts }) => ['POST', prompts, { json: { content: 'a\0b' } }],
    400,
    problem('INVALID_CHARACTERS', 'body.content'),
  ],
  [
    'a NUL in a block',
    ({ prompts }) => ['POST', prompts, { json: { content: [...text('ok'), ...text('\0')] } }],
    400,
    problem('INVALID_CHARACTERS', 'body.content[1].text'),
  ],
  [
    'half an emoji',
    ({ prompts }) => ['POST', prompts, { raw: '{"content":"\\ud83d"}' }],
    400,
    problem('INVALID_CHARACTERS', 'body.content'),
  ],
  [
    'a NUL in a member name',
    () => ['POST', '/v1/sessions', { raw: '{"metadata":{"a\\u0000":1}}' }],
    400,
    problem('INVALID_CHARACTERS', 'body.metadata["a\\u0000"]'),
  ],
  [
    'a prototype',
    () => ['POST', '/v1/sessions', { raw: '{"metadata":{"__proto__":{"a":1}}}' }],
    400,
    problem('INVALID_CHARACTERS', 'body.metadata["__proto__"]'),
  ],
  [
    'a number JSON loses',
    () => ['POST', '/v1/sessions', { raw: '{"metadata":{"a":-0}}' }],
    400,
    problem('INVALID_REQUEST', 'body.metadata'),
  ],
  [
    'too deep a nesting',
    () => ['POST', '/v1/sessions', { raw: `{"metadata":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}` }],
    400,
    problem('INVALID_CHARACTERS'),
  ],
  [
    'an id with a slash',
    () => ['POST', '/v1/sessions', { json: { id: 'a/b' } }],
    400,
    problem('INVALID_REQUEST', 'body.id'),
  ],
  [
    'an id that is too long',
    () => ['POST', '/v1/sessions', { json: { id: 'a'.repeat(129) } }],
    400,
    problem('INVALID_REQUEST', 'body.id'),
  ],
  ['an id in the path', () => ['GET', '/v1/sessions/a%00b', {}], 400, problem('INVALID_CHARACTERS', 'path.id')],
  ['a broken escape', () => ['GET', '/v1/sessions/%zz', {}], 400, problem('INVALID_REQUEST')],
  [
    'a workspace elsewhere',
    () => ['POST', '/v1/sessions', { json: { workspace: '/etc' } }],
    400,
    problem('WORKSPACE_NOT_ALLOWED', 'body.workspace'),
  ],
  [
    'a workspace that climbs',
    ({ folder }) => ['POST', '/v1/sessions', { json: { workspace: `${folder}/workspaces/../../etc` } }],
    400,
    problem('INVALID_REQUEST', 'body.workspace'),
  ],
  [
    'an import whose workspace climbs',
    ({ folder }) => [
      'POST',
      `/v1/sessions/import?workspace=${folder}/workspaces/../../etc`,
      { raw: '{}', headers: { 'content-type': 'application/x-ndjson' } },
    ],
    400,
    problem('INVALID_REQUEST', 'query.workspace'),
  ],
  [
    'a schedule whose workspace climbs',
    ({ folder }) => ['POST', '/v1/schedules', { json: { id: 'up', definition: climbing(folder) } }],
    400,
    problem('INVALID_REQUEST', 'body.definition.create.workspace'),
  ],
  [
    'a relative workspace',
    () => ['POST', '/v1/sessions', { json: { workspace: 'work' } }],
    400,
    problem('INVALID_REQUEST', 'body.workspace'),
  ],
  [
    'a temperature of 9',
    () => ['POST', '/v1/sessions', { json: { temperature: 9 } }],
    400,
    problem('INVALID_REQUEST', 'body.temperature'),
  ],
  [
    'an idempotency key with a space',
    ({ prompts }) => ['POST', prompts, { json: { content: 'a' }, headers: { 'idempotency-key': 'a b' } }],
    400,
    problem('INVALID_REQUEST', 'header.idempotency-key'),
  ],
  [
    'a wait of an hour',
    ({ prompts }) => ['POST', `${prompts}?wait=3600`, { json: { content: 'a' } }],
    400,
    problem('INVALID_REQUEST', 'query.wait'),
  ],
  [
    'an unknown time zone',
    ({ prompts }) => ['POST', prompts, { json: { content: 'a', clientTimeZone: 'Mars/Base' } }],
    400,
    problem('INVALID_REQUEST', 'body.clientTimeZone'),
  ],
  [
    'a cursor of our own invention',
    () => ['GET', '/v1/sessions?cursor=abc', {}],
    400,
    problem('INVALID_CURSOR', 'query.cursor'),
  ],
  ...[
    { createdAt: 5, key: 'a\0' },
    { createdAt: 9e15, key: 'a' },
  ].map((forged): BadRequest => [
    `a cursor that was forged: ${JSON.stringify(forged)}`,
    ({ session }) => ['GET', `/v1/sessions/${session}/effects?cursor=${encoded(forged)}`, {}],
    400,
    problem('INVALID_CURSOR', 'query.cursor'),
  ]),
  [
    'a status nobody has',
    () => ['GET', '/v1/sessions?status=idle,happy', {}],
    400,
    problem('INVALID_REQUEST', 'query.status[1]'),
  ],
  [
    'a query parameter nobody knows',
    () => ['GET', '/v1/sessions?colour=red', {}],
    400,
    problem('INVALID_REQUEST', 'query.colour'),
  ],
  [
    'a page before the log',
    ({ session }) => ['GET', `/v1/sessions/${session}/events?after=-2`, {}],
    400,
    problem('INVALID_REQUEST', 'query.after'),
  ],
  [
    'a Last-Event-ID that is none',
    ({ session }) => [
      'GET',
      `/v1/sessions/${session}/events`,
      { headers: { accept: 'text/event-stream', 'last-event-id': 'x' } },
    ],
    400,
    problem('INVALID_LAST_EVENT_ID', 'header.last-event-id'),
  ],
  [
    'a Last-Event-ID of the future',
    ({ session }) => [
      'GET',
      `/v1/sessions/${session}/events`,
      { headers: { accept: 'text/event-stream', 'last-event-id': '7' } },
    ],
    400,
    problem('INVALID_LAST_EVENT_ID', 'header.last-event-id'),
  ],
  [
    'a feed position of our own invention',
    () => ['GET', '/v1/events', { headers: { 'last-event-id': '7' } }],
    400,
    problem('INVALID_LAST_EVENT_ID', 'header.last-event-id'),
  ],
  [
    'an unknown session',
    () => ['POST', '/v1/sessions/nobody/prompts', { json: { content: 'a' } }],
    404,
    problem('SESSION_NOT_FOUND'),
  ],
  ['an unknown route', () => ['GET', '/v1/nothing', {}], 404, problem('ROUTE_NOT_FOUND')],
  [
    'an unknown prompt',
    ({ session }) => ['DELETE', `/v1/sessions/${session}/queue/nothing`, {}],
    404,
    problem('PROMPT_NOT_FOUND'),
  ],
  [
    'an unknown request',
    ({ session }) => ['GET', `/v1/sessions/${session}/requests/nothing`, {}],
    404,
    problem('REQUEST_NOT_FOUND'),
  ],
  [
    'an unknown approval',
    ({ session }) => ['POST', `/v1/sessions/${session}/approvals/nothing`, { json: { decision: 'allow' } }],
    404,
    problem('INTERACTION_NOT_FOUND'),
  ],
  [
    'a decision that is none',
    ({ session }) => ['POST', `/v1/sessions/${session}/approvals/nothing`, { json: { decision: 'maybe' } }],
    400,
    problem('INVALID_REQUEST', 'body.decision'),
  ],
];
