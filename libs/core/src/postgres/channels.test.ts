import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionId, TenantId } from '../domain/index.ts';
import { fromPayload, toPayloads } from './channels.ts';

const id = fc.stringMatching(/^[A-Za-z0-9._-]{1,128}$/);

test('notes come out as they went in, in payloads Postgres takes', () => {
  const note = fc.record({ tenant: id as fc.Arbitrary<TenantId>, session: id as fc.Arbitrary<SessionId> });
  fc.assert(
    fc.property(fc.array(note, { maxLength: 200 }), (notes) => {
      const payloads = toPayloads(notes);
      expect(payloads.flatMap(fromPayload)).toEqual(notes);
      for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8000);
    }),
  );
});
