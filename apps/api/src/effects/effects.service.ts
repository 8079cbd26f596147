import { Inject, Injectable } from '@nestjs/common';
import { listEffects, type ClaimState, type Database } from '@everturn/core/postgres';
import { z } from 'zod';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { cursorOf, cursorTime } from '../platform/schemas/cursor.ts';
import { DATABASE } from '../platform/tokens.ts';

const cursors = cursorOf(z.strictObject({ createdAt: cursorTime, key: z.string() }));

interface ListInput {
  state?: ClaimState;
  cursor?: string;
  limit: number;
}

/** Reads the effects ledger. */
@Injectable()
export class EffectsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
  ) {}

  /** A page, oldest first, and the cursor of the next page if there is one. */
  async list(key: SessionKey, { state, cursor, limit }: ListInput) {
    const after = cursor === undefined ? undefined : cursors.read(cursor);
    await this.access.find(key);
    const rows = await listEffects(this.database, {
      ...key,
      limit: limit + 1,
      ...(state && { state }),
      ...(after && { after: { createdAt: new Date(after.createdAt), key: after.key } }),
    });
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      effects: page.map((row) => ({
        ...row,
        createdAt: row.createdAt.toISOString(),
        updatedAt: row.updatedAt.toISOString(),
      })),
      next: last ? cursors.write({ createdAt: last.createdAt.getTime(), key: last.key }) : null,
    };
  }
}
