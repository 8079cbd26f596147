import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { RequestReceipt, sessionPath } from '../platform/api-shapes.ts';
import type { Context } from '../platform/context.ts';
import { onlyOpen } from '../platform/only-open.ts';

/** `approve <session> [<id>]` and `deny <session> [<id>]`. */
export function addDecide(program: Command, context: Context): void {
  const decisions = [
    ['approve', 'allow', 'Allow the call that waits for approval, once'],
    ['deny', 'deny', 'Refuse the call that waits for approval'],
  ] as const;
  for (const [name, decision, description] of decisions)
    program
      .command(name)
      .argument('<session>')
      .argument('[id]', 'as `interactions` lists it; may be left out where only one waits')
      .description(description)
      .action(async (session: string, id: string | undefined) => {
        const asked = id ?? (await onlyOpen(context, session, 'approval'));
        const path = sessionPath(session, `approvals/${encodeURIComponent(asked)}`);
        const request = { method: 'POST' as const, path, body: { decision }, idempotencyKey: randomUUID() };
        const { accepted } = await context.api().json(request, RequestReceipt);
        context.print(accepted === 'delivered' ? `${name}: the session has it` : `${name}: kept for the session`);
      });
}
