import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { RequestReceipt, sessionPath } from '../platform/api-shapes.ts';
import type { Context } from '../platform/context.ts';

/** `session close <session>`. */
export function addSessionClose(session: Command, context: Context): void {
  session
    .command('close')
    .argument('<session>')
    .description('Close a session; its log stays readable')
    .option('--json', 'print the receipt as JSON')
    .action(async (id: string, { json }: { json?: true }) => {
      const request = { method: 'DELETE' as const, path: sessionPath(id), idempotencyKey: randomUUID() };
      const receipt = await context.api().json(request, RequestReceipt);
      if (json) return context.printJson(receipt);
      const how = receipt.accepted === 'delivered' ? 'the session has it' : 'kept; the session will find it';
      context.print(`close: ${how} (request ${receipt.requestId})`);
    });
}
