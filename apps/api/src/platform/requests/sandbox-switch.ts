import { Inject, Injectable } from '@nestjs/common';
import type { ApiConfig } from '@everturn/core/config';
import {
  changePermissions,
  openPermissions,
  type NetworkMode,
  type PermissionChange,
  type Permissions,
} from '@everturn/core/domain';
import { listOpenTerminals, readPermissions, type Database } from '@everturn/core/postgres';
import type { SessionOptions } from '@everturn/core/protocol';
import { ApiError } from '../errors/api-error.ts';
import type { SessionKey } from '../follow/log-source.ts';
import { CONFIG, DATABASE } from '../tokens.ts';
import { SessionAccess } from './session-access.ts';

/** Knows what a session's tools may do, and whether that may change now. */
@Injectable()
export class SandboxSwitch {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: ApiConfig,
    @Inject(SessionAccess) private readonly access: SessionAccess,
  ) {}

  /** As the log says; before the first turn, as it will. */
  async now(key: SessionKey): Promise<Permissions & { network?: NetworkMode }> {
    const row = await this.access.find(key);
    const { permissions: asked } = row.options as SessionOptions;
    const { network, ...wanted } = asked ?? {};
    const { permissions } = openPermissions({
      recorded: await readPermissions(this.database, key),
      wanted: wanted as Parameters<typeof openPermissions>[0]['wanted'],
      fallback: row.defaultPreset ?? this.config.permissionMode,
      delegated: row.header.origin === 'subagent',
    });
    return { ...permissions, ...(network && { network }) };
  }

  /** Throws `TERMINALS_OPEN` for another sandbox mode while shells are open that would keep the one they have. */
  async refuseWhileShellsRun(key: SessionKey, change: PermissionChange): Promise<void> {
    const open = await listOpenTerminals(this.database, key);
    if (open.length === 0) return;
    const before = await this.now(key);
    const { sandbox } = changePermissions(before, change).permissions;
    if (sandbox === before.sandbox) return;
    throw new ApiError({
      code: 'TERMINALS_OPEN',
      message:
        `the sandbox mode cannot change from "${before.sandbox}" to "${sandbox}" while the session has open terminals ` +
        `(${open.map(nameOf).join(', ')}), which would keep the mode they were opened in; close them first`,
    });
  }
}

/** `pty/pty-1` is a terminal, `shell/bash` the shell that calls of `bash` share. */
const nameOf = (key: string): string => key.replace(/^pty\//, '').replace(/^shell\/(.*)$/, 'the kept shell of $1');
