import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { PermissionsReport, RequestReceipt, sessionPath } from '../platform/api-shapes.ts';
import type { Context } from '../platform/context.ts';
import { inertLine } from '../terminal/inert.ts';

interface PermissionsOptions {
  preset?: string;
  sandbox?: string;
  approval?: string;
  json?: true;
}

/** `permissions <session>`: shows or changes what tools may do. */
export function addPermissions(program: Command, context: Context): void {
  program
    .command('permissions')
    .argument('<session>')
    .description('Show what the tools of a session may do, or change it, also while a turn runs')
    .option('--preset <name>', 'read-only, workspace-write or danger-full-access')
    .option('--sandbox <mode>', 'what tools may write: read-only, workspace-write, danger-full-access')
    .option('--approval <policy>', 'ask: a person is asked; never: what would be asked is rejected')
    .option('--json', 'print the answer as JSON')
    .action(async (id: string, { preset, sandbox, approval, json }: PermissionsOptions) => {
      const path = sessionPath(id, 'permissions');
      const change = { preset, sandboxMode: sandbox, approvalPolicy: approval };
      if (Object.values(change).every((value) => value === undefined)) {
        const report = await context.api().json({ path }, PermissionsReport);
        if (json) return context.printJson(report);
        const { sandboxMode, approvalPolicy, presets } = report;
        const named = `${inertLine(report.preset, 40)}: sandbox ${inertLine(sandboxMode, 40)}, approval ${inertLine(approvalPolicy, 40)}`;
        return context.print(`${named} (presets: ${presets.map((name) => inertLine(name, 40)).join(', ')})`);
      }
      const request = { method: 'PUT' as const, path, body: change, idempotencyKey: randomUUID() };
      const receipt = await context.api().json(request, RequestReceipt);
      if (json) return context.printJson(receipt);
      context.print(receipt.accepted === 'delivered' ? 'permissions: changed' : 'permissions: kept for the session');
    });
}
