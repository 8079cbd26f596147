import { Inject, Injectable } from '@nestjs/common';
import { currentPreset, PresetName } from '@everturn/core/domain';
import type { SetPermissions } from '@everturn/core/protocol';
import { SessionMessenger } from '../platform/delivery/session-messenger.ts';
import { Announcer } from '../platform/follow/announcer.ts';
import type { SessionKey } from '../platform/follow/log-source.ts';
import { RequestDesk } from '../platform/requests/request-desk.ts';
import { SandboxSwitch } from '../platform/requests/sandbox-switch.ts';
import { refuseEnded, SessionAccess } from '../platform/requests/session-access.ts';
import type { RequestReceipt } from '../platform/schemas/receipt.ts';
import type { PermissionsBody, PermissionsReport } from './permission-requests.ts';

export interface ChangePermissionsInput {
  key: SessionKey;
  idempotencyKey: string | undefined;
  body: PermissionsBody;
}

/** Shows and changes what a session's tools may do. */
@Injectable()
export class PermissionsService {
  constructor(
    @Inject(SessionAccess) private readonly access: SessionAccess,
    @Inject(SandboxSwitch) private readonly sandbox: SandboxSwitch,
    @Inject(RequestDesk) private readonly desk: RequestDesk,
    @Inject(SessionMessenger) private readonly messenger: SessionMessenger,
    @Inject(Announcer) private readonly announcer: Announcer,
  ) {}

  /** As the log says; before the first turn, as it will. */
  async read(key: SessionKey): Promise<PermissionsReport> {
    const { network, ...permissions } = await this.sandbox.now(key);
    return {
      preset: currentPreset(permissions),
      sandboxMode: permissions.sandbox,
      approvalPolicy: permissions.approval,
      ...(network && { network }),
      presets: [...PresetName.options],
    };
  }

  /** Holds from the next call of a tool on, and is told to the model before its next request. */
  async change({ key, idempotencyKey, body }: ChangePermissionsInput): Promise<RequestReceipt> {
    const row = await this.access.findOwn(key);
    const change = JSON.parse(JSON.stringify(body)) as SetPermissions['change']; // without members that are not there
    const request = await this.desk.open({ ...key, idempotencyKey, purpose: 'permissions', body });
    const { requestId } = request;
    if (await this.desk.outcome(key, request)) return { requestId, accepted: 'delivered' };
    refuseEnded(row);
    await this.sandbox.refuseWhileShellsRun(key, change);
    await this.desk.note(key, requestId, 'permissions');
    const message: SetPermissions = { requestId, change };
    // Taking rights away must work in a run that has no updates left, so it does not count against the budget of prompts.
    const send = () =>
      this.messenger.deliver({ ...key, name: 'setPermissions', message, intent: 'open', prefer: 'update' });
    const outcome = await this.desk.refusing(key, requestId, send);
    if (outcome.kind === 'answered') await this.desk.accepted(key, requestId);
    this.announcer.announce(key);
    return { requestId, accepted: outcome.kind === 'answered' ? 'delivered' : 'queued' };
  }
}
