import { expect, test } from 'vitest';
import { isBlobRef, type BlobRef, type CallId, type TenantId } from '@everturn/core/domain';
import type { Values } from '../context/values.ts';
import { tellAgents } from './tell-agents.ts';

const REF = { $blob: 'x', bytes: 1 } as unknown as BlobRef;
/** Stores everything above 1,000 characters. */
const values = {
  store: async () => REF,
  travel: async (_tenant: TenantId, value: unknown) => (JSON.stringify(value).length > 1_000 ? REF : value),
} as unknown as Values;

const tell = async (...asked: object[]) => {
  const calls = asked.map((args, index) => ({
    index: index + 1,
    callId: `c:${index}` as CallId,
    name: 'agent',
    arguments: JSON.stringify(args),
  }));
  const told = await tellAgents({ values }, { tenant: 't' as TenantId }, calls);
  return told.map(({ arguments: args, ...call }) => ({ ...call, arguments: JSON.parse(args as string) as object }));
};

test('an agent travels with what it is asked, its names cut to what a log can hold', async () => {
  const [one] = await tell({ prompt: 'p', label: 'l'.repeat(500), phase: '', provider: 'x', model: 'm' });
  expect(one).toEqual({
    index: 1,
    callId: 'c:0',
    name: 'agent',
    concurrency: 'parallel',
    arguments: { prompt: 'p', label: 'l'.repeat(200), phase: '', provider: 'x', model: 'm' },
  });
});

test('long tasks travel by reference, and so do middling ones that are many', async () => {
  const [long] = await tell({ prompt: 'p'.repeat(2_000), label: 'l' });
  expect(long?.arguments).toEqual({ prompt: REF, label: 'l' });
  const many = await tell(...Array.from({ length: 300 }, () => ({ prompt: 'p'.repeat(900), label: 'l' })));
  const references = many.map((call) => isBlobRef((call.arguments as { prompt: unknown }).prompt));
  expect([references[0], references.at(-1)]).toEqual([false, true]);
});

test('a schema that is none is told with the call, all of what is wrong with it', async () => {
  const [call] = await tell({ prompt: 'p', label: 'l', schema: { type: 'string', pattern: 'x' } });
  expect(call?.invalid).toBe('UNSUPPORTED_SCHEMA: schema.type must be "object"; schema.pattern is not supported');
});
