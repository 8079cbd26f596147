import { Inject, Injectable } from '@nestjs/common';
import { sql, type Kysely } from 'kysely';
import type { Client } from '@temporalio/client';
import type { ApiConfig } from '@everturn/core/config';
import { Shutdown } from '../shutdown.ts';
import { CONFIG, DATABASE, TEMPORAL } from '../tokens.ts';

/** One dependency's answer; `reason` names the kind of failure and holds no address and no secret. */
export interface HealthCheck {
  status: 'up' | 'down';
  reason?: string;
}

const TIMEOUT_MS = 2_000;

/** Asks Postgres and Temporal whether they answer. */
@Injectable()
export class HealthService {
  constructor(
    @Inject(DATABASE) private readonly database: Kysely<never>,
    @Inject(TEMPORAL) private readonly temporal: Client,
    @Inject(CONFIG) private readonly config: ApiConfig,
    @Inject(Shutdown) private readonly shutdown: Shutdown,
  ) {}

  async check(): Promise<{ status: 'ready' | 'not-ready'; postgres: HealthCheck; temporal: HealthCheck }> {
    const [postgres, temporal] = await Promise.all([
      probe(() => sql`select 1`.execute(this.database)),
      probe(() => this.#describeNamespace()),
    ]);
    const ready = !this.shutdown.begun && postgres.status === 'up' && temporal.status === 'up';
    return { status: ready ? 'ready' : 'not-ready', postgres, temporal };
  }

  #describeNamespace(): Promise<unknown> {
    const { connection } = this.temporal;
    const { namespace } = this.config.temporal;
    return connection.withDeadline(Date.now() + TIMEOUT_MS, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  }
}

async function probe(ask: () => Promise<unknown>): Promise<HealthCheck> {
  const { promise: late, resolve } = Promise.withResolvers<HealthCheck>();
  const overdue = setTimeout(() => resolve({ status: 'down', reason: 'TIMEOUT' }), TIMEOUT_MS);
  const answer = ask().then(
    (): HealthCheck => ({ status: 'up' }),
    (error: unknown): HealthCheck => ({ status: 'down', reason: kindOf(error) }),
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(overdue));
}

function kindOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'UNREACHABLE';
}
