import { resolve } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import type { ApiConfig } from '@everturn/core/config';
import type { TenantId } from '@everturn/core/domain';
import { listLiveHosts, type Database } from '@everturn/core/postgres';
import {
  nativeScheduleId,
  SCHEDULED_RUN_WORKFLOW,
  schedulePrefix,
  taskQueues,
  WORKFLOW_TASK_TIMEOUT_MS,
  type ScheduleDefinition,
  type ScheduledRunInput,
  type ScheduleId,
} from '@everturn/core/protocol';
import type { Client, ScheduleHandle } from '@temporalio/client';
import { SessionAccess } from '../platform/requests/session-access.ts';
import { refuseForeignWorkspace } from '../platform/requests/allowed-workspace.ts';
import { CONFIG, DATABASE, TEMPORAL } from '../platform/tokens.ts';
import { nativeOverlap, nativePolicies, nativeSpec } from './native-spec.ts';
import { aboutSchedule } from './schedule-error.ts';
import type { Backfill, CreateSchedule, ScheduleList, ScheduleView, Trigger } from './schedule-requests.ts';
import { viewSchedule } from './view-schedule.ts';

export interface ScheduleKey {
  tenant: TenantId;
  schedule: ScheduleId;
}

/** Schedules of operators: each is a native Schedule of Temporal, which is the only place that knows of it. */
@Injectable()
export class SchedulesService {
  readonly #queues: string;

  constructor(
    @Inject(TEMPORAL) private readonly client: Client,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: ApiConfig,
    @Inject(SessionAccess) private readonly access: SessionAccess,
  ) {
    this.#queues = config.temporal.taskQueue;
  }

  async create(tenant: TenantId, { id, definition, paused, note }: CreateSchedule): Promise<ScheduleView> {
    const key = { tenant, schedule: id };
    await this.#refuseUnusable(tenant, definition);
    await aboutSchedule(id, () =>
      this.client.schedule.create({
        scheduleId: nativeScheduleId(tenant, id, this.#queues),
        spec: nativeSpec(definition.times),
        policies: nativePolicies(definition),
        action: this.#action(key, definition),
        state: { paused, ...(note !== undefined && { note }) },
      }),
    );
    return this.find(key);
  }

  find(key: ScheduleKey): Promise<ScheduleView> {
    return aboutSchedule(key.schedule, async () => viewSchedule(key.schedule, await this.#handle(key).describe()));
  }

  /** In no order; a schedule made a moment ago may not be listed yet. */
  async list(tenant: TenantId): Promise<ScheduleList> {
    const prefix = schedulePrefix(tenant, this.#queues);
    const schedules: ScheduleList['schedules'] = [];
    for await (const { scheduleId, state, info } of this.client.schedule.list({ pageSize: 200 })) {
      if (!scheduleId.startsWith(prefix)) continue;
      schedules.push({
        id: scheduleId.slice(prefix.length) as ScheduleId,
        paused: state.paused,
        ...(state.note !== undefined && { note: state.note }),
        next: info.nextActionTimes.slice(0, 10).map((at) => at.toISOString()),
      });
    }
    return { schedules };
  }

  async change(key: ScheduleKey, definition: ScheduleDefinition): Promise<ScheduleView> {
    await this.#refuseUnusable(key.tenant, definition);
    await aboutSchedule(key.schedule, () =>
      this.#handle(key).update(({ state }) => ({
        state,
        spec: nativeSpec(definition.times),
        policies: nativePolicies(definition),
        action: this.#action(key, definition),
      })),
    );
    return this.find(key);
  }

  /** Firings that began go on. */
  delete(key: ScheduleKey): Promise<void> {
    return aboutSchedule(key.schedule, () => this.#handle(key).delete());
  }

  pause(key: ScheduleKey, note: string | undefined): Promise<ScheduleView> {
    return this.#then(key, (handle) => handle.pause(note));
  }

  unpause(key: ScheduleKey, note: string | undefined): Promise<ScheduleView> {
    return this.#then(key, (handle) => handle.unpause(note));
  }

  trigger(key: ScheduleKey, { overlap }: Trigger): Promise<ScheduleView> {
    return this.#then(key, async (handle) => {
      // Said nothing, the client would let it go beside an earlier firing whatever the schedule has.
      const own = overlap ?? viewSchedule(key.schedule, await handle.describe()).definition.overlap;
      await handle.trigger(nativeOverlap(own));
    });
  }

  backfill(key: ScheduleKey, { start, end, overlap }: Backfill): Promise<ScheduleView> {
    const range = { start: new Date(start), end: new Date(end), overlap: nativeOverlap(overlap) };
    return this.#then(key, (handle) => handle.backfill(range));
  }

  #then(key: ScheduleKey, run: (handle: ScheduleHandle) => Promise<void>): Promise<ScheduleView> {
    return aboutSchedule(key.schedule, async () => {
      const handle = this.#handle(key);
      await run(handle);
      return viewSchedule(key.schedule, await handle.describe());
    });
  }

  #handle({ tenant, schedule }: ScheduleKey): ScheduleHandle {
    return this.client.schedule.getHandle(nativeScheduleId(tenant, schedule, this.#queues));
  }

  #action({ tenant, schedule }: ScheduleKey, definition: ScheduleDefinition) {
    const input: ScheduledRunInput = {
      tenant,
      schedule,
      definition: JSON.parse(JSON.stringify(definition)) as ScheduleDefinition,
    };
    return {
      type: 'startWorkflow' as const,
      workflowType: SCHEDULED_RUN_WORKFLOW,
      workflowId: nativeScheduleId(tenant, schedule, this.#queues),
      taskQueue: taskQueues(this.#queues).main,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
      args: [input],
    };
  }

  async #refuseUnusable(tenant: TenantId, { session, create }: ScheduleDefinition): Promise<void> {
    if (session !== undefined) await this.access.findOpen({ tenant, session });
    if (create?.workspace === undefined) return;
    const { workspaceRoots, dataDir } = this.config;
    const own = workspaceRoots.length > 0 ? workspaceRoots : [resolve(dataDir, 'workspaces')];
    const hosts = await listLiveHosts(this.database);
    refuseForeignWorkspace(create.workspace, [...own, ...hosts.flatMap(({ roots }) => roots)]);
  }
}
