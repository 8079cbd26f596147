import { Inject, Injectable } from '@nestjs/common';
import type { KnobChange, KnobSwitch } from '@everturn/core/domain';
import type { KnobsReceipt, SetKnobs } from '@everturn/core/protocol';
import { SessionMessenger } from '../delivery/session-messenger.ts';
import { Announcer } from '../follow/announcer.ts';
import type { SessionKey } from '../follow/log-source.ts';
import { RequestDesk } from './request-desk.ts';
import { refuseEnded, SessionAccess } from './session-access.ts';

interface ChangeInput {
  key: SessionKey;
  idempotencyKey: string | undefined;
  change: KnobChange;
  /** What a change must pass that was not accepted before. */
  check?: () => Promise<void>;
}

/** Brings a session changes that hold from its next step on. */
@Injectable()
export class KnobDesk {
  constructor(
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(RequestDesk) private readonly desk: RequestDesk,
    @Inject(SessionMessenger) private readonly messenger: SessionMessenger,
    @Inject(Announcer) private readonly announcer: Announcer,
  ) {}

  /** Throws the session's refusal; `TEMPORAL_UNAVAILABLE` when it could not be sent. */
  async change({ key, idempotencyKey, change, check }: ChangeInput): Promise<KnobAnswer> {
    const row = await this.access.findOwn(key);
    const purpose = change.model ? 'model' : 'plan';
    const request = await this.desk.open({ ...key, idempotencyKey, purpose, body: change });
    const { requestId } = request;
    if (await this.desk.outcome(key, request)) return { requestId, accepted: 'delivered' };
    refuseEnded(row);
    await check?.();
    await this.desk.note(key, requestId, purpose);
    const message: SetKnobs = { requestId, change: JSON.parse(JSON.stringify(change)) as KnobChange };
    const delivery = { ...key, name: 'setKnobs', message, intent: 'open', prefer: 'update' } as const;
    const send = () => this.messenger.deliver<KnobsReceipt>(delivery);
    const outcome = await this.desk.refusing(key, requestId, send);
    this.announcer.announce(key);
    if (outcome.kind === 'queued') return { requestId, accepted: 'queued' };
    await this.desk.accepted(key, requestId);
    const { result } = outcome.result;
    return { requestId, accepted: 'delivered', ...(result && { result }) };
  }
}

export interface KnobAnswer {
  requestId: string;
  accepted: 'delivered' | 'queued';
  result?: KnobSwitch;
}
