import { Inject, Injectable } from '@nestjs/common';
import { foldGoal, viewGoal, type GoalRequest, type GoalView } from '@everturn/core/domain';
import { readGoalFacts, type Database } from '@everturn/core/postgres';
import { sessionWorkflowId, type ChangeGoal, type GoalReceipt } from '@everturn/core/protocol';
import type { Client } from '@temporalio/client';
import { SessionMessenger } from '../platform/delivery/session-messenger.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { Announcer } from '../platform/follow/announcer.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { RequestDesk } from '../platform/requests/request-desk.ts';
import { refuseEnded, SessionAccess } from '../platform/requests/session-access.ts';
import { DATABASE, TEMPORAL } from '../platform/tokens.ts';
import type { GoalReceiptShape, GoalReport } from './goal-requests.ts';

const QUERY_TIMEOUT_MS = 2_000;

/** Shows and changes the goal of a session. */
@Injectable()
export class GoalsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(TEMPORAL) private readonly client: Client,
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(RequestDesk) private readonly desk: RequestDesk,
    @Inject(SessionMessenger) private readonly messenger: SessionMessenger,
    @Inject(Announcer) private readonly announcer: Announcer,
  ) {}

  /** The goal as the log has it; whether rounds follow each other only the session's workflow knows. */
  async read(key: SessionKey): Promise<GoalReport> {
    await this.access.find(key);
    const goal = foldGoal(await readGoalFacts(this.database, key));
    if (typeof goal === 'string')
      throw new ApiError({ code: 'GOAL_REFUSED', message: `the log contradicts itself: ${goal}` });
    const view = viewGoal(goal);
    if (view.goal === null) return { goal: null };
    const live = await this.#ask(key).catch(() => undefined);
    return { goal: view.goal, ...(live && live.goal !== null && { activation: live.activation }) };
  }

  #ask({ session }: SessionKey): Promise<GoalView> {
    const handle = this.client.workflow.getHandle(sessionWorkflowId(session));
    return this.client.connection.withDeadline(Date.now() + QUERY_TIMEOUT_MS, () => handle.query<GoalView>('goal'));
  }

  async change(key: SessionKey, idempotencyKey: string | undefined, body: object): Promise<GoalReceiptShape> {
    const row = await this.access.findOwn(key);
    const request = JSON.parse(JSON.stringify(body)) as GoalRequest; // validated; without members that are not there
    const opened = await this.desk.open({ ...key, idempotencyKey, purpose: 'goal', body });
    const { requestId } = opened;
    if (await this.desk.outcome(key, opened)) return { requestId, accepted: 'delivered' };
    refuseEnded(row);
    await this.desk.note(key, requestId, 'goal');
    const message: ChangeGoal = { requestId, request };
    const send = () =>
      this.messenger.deliver<GoalReceipt>({ ...key, name: 'goal', message, intent: 'open', prefer: 'update' });
    const outcome = await this.desk.refusing(key, requestId, send);
    if (outcome.kind !== 'answered') return { requestId, accepted: 'queued' };
    await this.desk.accepted(key, requestId);
    this.announcer.announce(key);
    const { view } = outcome.result;
    return { requestId, accepted: 'delivered', ...(view && { goal: view.goal }) };
  }
}
