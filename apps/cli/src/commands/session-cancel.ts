import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { RequestReceipt, sessionPath } from '../platform/api-shapes.ts';
import type { Context } from '../platform/context.ts';

/** `session cancel <session>`. */
export function addSessionCancel(session: Command, context: Context): void {
  session
    .command('cancel')
    .argument('<session>')
    .description('Stop the running turn and drop what waits')
    .option('--json', 'print the receipt as JSON')
    .action(async (id: string, { json }: { json?: true }) => {
      const request = { method: 'POST' as const, path: sessionPath(id, 'cancel'), idempotencyKey: randomUUID() };
      const receipt = await context.api().json(request, RequestReceipt);
      if (json) return context.printJson(receipt);
      const how = receipt.accepted === 'delivered' ? 'the session has it' : 'kept; the session will find it';
      context.print(`cancel: ${how} (request ${receipt.requestId})`);
    });
}
