import { noisePng } from '@everturn/core/testing';
import { problem, type BadRequest } from './bad-requests.ts';

const png = noisePng(4, 3);
const data = png.toString('base64');
const image = { type: 'image', mediaType: 'image/png', data };
const text = { type: 'text', text: 'look' };

const bad = (what: string, block: object, ...fields: string[]): BadRequest => [
  what,
  ({ prompts }) => ['POST', prompts, { json: { content: [text, block] } }],
  400,
  problem('INVALID_REQUEST', ...fields),
];
const upload = (raw: Uint8Array, type: string) => [
  'POST',
  '/v1/attachments',
  { raw, headers: { 'content-type': type } },
];

/** Pictures the API refuses before it keeps any. */
export const BAD_PICTURES: readonly BadRequest[] = [
  bad('a picture of another media type', { ...image, mediaType: 'image/tiff' }, 'body.content[1].mediaType'),
  bad('a picture that is not what it says', { ...image, mediaType: 'image/jpeg' }, 'body.content[1].data'),
  bad('base64 with a space', { ...image, data: `${data.slice(0, 4)} ${data.slice(4)}` }, 'body.content[1].data'),
  bad('base64 without padding', { ...image, data: data.replace(/=+$/, '').slice(0, -1) }, 'body.content[1].data'),
  bad('base64 for URLs', { ...image, data: '-_-_' }, 'body.content[1].data'),
  bad('no bytes', { ...image, data: '' }, 'body.content[1].data'),
  bad('bytes that are no picture', { ...image, data: 'AAAA' }, 'body.content[1].data'),
  bad('half a picture', { ...image, data: png.subarray(0, 60).toString('base64') }, 'body.content[1].data'),
  bad('a side too long', { ...image, data: noisePng(8_193, 1).toString('base64') }, 'body.content[1].data'),
  bad('a picture nobody stored', { type: 'image', attachmentId: 'f'.repeat(64) }, 'body.content[1].attachmentId'),
  bad('a picture by data and by name', { ...image, attachmentId: 'f'.repeat(64) }, 'body.content'),
  [
    'a good picture beside a bad one',
    ({ prompts }) => ['POST', prompts, { json: { content: [image, { ...image, data: 'AAAA' }] } }],
    400,
    problem('INVALID_REQUEST', 'body.content[1].data'),
  ],
  [
    'twenty-one pictures',
    ({ prompts }) => ['POST', prompts, { json: { content: Array.from({ length: 21 }, () => image) } }],
    400,
    problem('INVALID_REQUEST', 'body.content'),
  ],
  [
    'a session whose first prompt holds a bad picture',
    () => ['POST', '/v1/sessions', { json: { prompt: [{ ...image, data: 'AAAA' }] } }],
    400,
    problem('INVALID_REQUEST', 'body.prompt[0].data'),
  ],
  ['an upload of another kind', () => upload(png, 'application/pdf') as never, 415, problem('UNSUPPORTED_MEDIA_TYPE')],
  ['an upload that is JSON', () => ['POST', '/v1/attachments', { json: {} }], 415, problem('UNSUPPORTED_MEDIA_TYPE')],
  [
    'an upload that is not what it says',
    () => upload(png, 'image/gif') as never,
    400,
    problem('INVALID_REQUEST', 'body'),
  ],
  [
    'a picture where JSON belongs',
    ({ prompts }) => ['POST', prompts, { raw: png, headers: { 'content-type': 'image/png' } }],
    415,
    problem('UNSUPPORTED_MEDIA_TYPE'),
  ],
];
