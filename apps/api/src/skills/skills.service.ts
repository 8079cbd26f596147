import { Inject, Injectable } from '@nestjs/common';
import { readSessionSkills, type Database } from '@everturn/core/postgres';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { DATABASE } from '../platform/tokens.ts';
import type { Skills } from './skills.controller.ts';

/** Tells which skills were found for a session. */
@Injectable()
export class SkillsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SessionAccess) private readonly access: SessionAccess,
  ) {}

  /** What a worker found last; none before there was a turn. */
  async list(key: SessionKey): Promise<Skills> {
    await this.access.find(key);
    const found = await readSessionSkills(this.database, key);
    return { skills: found?.skills ?? [], foundAt: found?.foundAt ?? null };
  }
}
