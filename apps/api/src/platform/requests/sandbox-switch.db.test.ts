import { afterAll, expect, test } from 'vitest';
import type { ApiConfig } from '@everturn/core/config';
import type { HostId, SessionId, TenantId } from '@everturn/core/domain';
import { forgetTerminals, noteTerminal, startSessionRow, takeHost, writeSettings } from '@everturn/core/postgres';
import { openTestDatabase } from '@everturn/core/testing';
import { SandboxSwitch } from './sandbox-switch.ts';
import { SessionAccess } from './session-access.ts';

const { database, drop } = await openTestDatabase();
afterAll(drop);

const config = { permissionMode: 'workspace-write' } as ApiConfig; // nothing else of it is read
const key = { tenant: 'acme' as TenantId, session: 's1' as SessionId };

test('before its first turn a session is as it was asked for, else as its tenant wants new ones, else as the deployment says', async () => {
  const sandbox = new SandboxSwitch(database, config, new SessionAccess(database));
  const careful = 'careful' as TenantId;
  const said = { user: { defaultPreset: 'danger-full-access' }, value: {} };
  await writeSettings(database, {
    tenant: careful,
    namespace: 'permission',
    change: () => ({ kind: 'changed', ...said }),
  });
  const now = async (tenant: TenantId, name: string, options: object) => {
    const session = name as SessionId;
    await startSessionRow(database, { tenant, session, header: { version: 0, id: session, createdAt: 0 }, options });
    const { sandbox: mode, approval } = await sandbox.now({ tenant, session });
    return `${mode} ${approval}`;
  };
  expect([
    await now(key.tenant, 'plain', {}),
    await now(careful, 'wanted', {}),
    await now(careful, 'in-part', { permissions: { approvalPolicy: 'ask' } }),
    await now(careful, 'asked', { permissions: { preset: 'read-only' } }),
  ]).toEqual(['workspace-write ask', 'danger-full-access never', 'danger-full-access ask', 'read-only ask']);
});

test('another sandbox mode is refused while terminals are open, naming both modes; the approval policy is not', async () => {
  const sandbox = new SandboxSwitch(database, config, new SessionAccess(database));
  const header = { version: 0, id: key.session, createdAt: 0 };
  await startSessionRow(database, { ...key, header, options: {}, metadata: {} });
  const id = 'h1' as HostId;
  const taken = await takeHost(database, { host: id, holder: 'one', roots: [] });
  if (taken.kind !== 'taken') throw new Error('the host is held');
  const host = { id, epoch: taken.epoch };
  await sandbox.refuseWhileShellsRun(key, { sandboxMode: 'read-only' });

  await noteTerminal(database, { ...key, host, name: 'pty/pty-1' });
  await noteTerminal(database, { ...key, host, name: 'shell/bash' });
  await expect(sandbox.refuseWhileShellsRun(key, { preset: 'danger-full-access' })).rejects.toMatchObject({
    code: 'TERMINALS_OPEN',
    message:
      'the sandbox mode cannot change from "workspace-write" to "danger-full-access" while the session has open ' +
      'terminals (pty-1, the kept shell of bash), which would keep the mode they were opened in; close them first',
  });
  await sandbox.refuseWhileShellsRun(key, { sandboxMode: 'workspace-write' });
  await sandbox.refuseWhileShellsRun(key, { approvalPolicy: 'never' });
  await sandbox.refuseWhileShellsRun({ ...key, tenant: 'rival' as TenantId }, { sandboxMode: 'workspace-write' });

  await forgetTerminals(database, { ...key, host });
  await sandbox.refuseWhileShellsRun(key, { sandboxMode: 'read-only' });
});
