import { expect, test } from 'vitest';
import type { SessionId } from '@everturn/core/domain';
import { ApiError } from '../platform/errors/api-error.ts';
import { cancelEach } from './cancel-each.ts';

const sessions = ['lead', 'closing', 'broken', 'far'] as SessionId[];

async function cancelling(refusals: Partial<Record<string, ApiError['code']>>) {
  const asked: string[] = [];
  const cancelled = await cancelEach(sessions, async (session) => {
    asked.push(session);
    const code = refusals[session];
    if (code) throw new ApiError({ code, message: 'no' });
  }).catch((error: ApiError) => error.code);
  return { asked, cancelled };
}

test('sessions that have ended meanwhile do not keep those below them from being cancelled', async () => {
  expect(await cancelling({ closing: 'SESSION_CLOSED', broken: 'SESSION_BROKEN' })).toEqual({
    asked: sessions,
    cancelled: ['lead', 'far'],
  });
});

test('where nobody can be reached the caller hears of it', async () => {
  const { asked, cancelled } = await cancelling({ closing: 'TEMPORAL_UNAVAILABLE' });
  expect([asked, cancelled]).toEqual([['lead', 'closing'], 'TEMPORAL_UNAVAILABLE']);
});
