import { randomUUID } from 'node:crypto';
import { Argument, type Command } from 'commander';
import { KnobReceipt, PlanReport, sessionPath } from '../platform/api-shapes.ts';
import type { Context } from '../platform/context.ts';

/** `plan <session> [on|off]`: shows or switches plan mode. */
export function addPlan(program: Command, context: Context): void {
  program
    .command('plan')
    .argument('<session>')
    .addArgument(new Argument('[state]', 'without it plan mode is shown').choices(['on', 'off']))
    .description('Show plan mode, or switch it from the next step on')
    .action(async (id: string, state: 'on' | 'off' | undefined) => {
      const path = sessionPath(id, 'plan');
      if (!state) {
        const { active, next } = await context.api().json({ path }, PlanReport);
        const soon = next === undefined ? '' : `, ${word(next)} from the next step on`;
        return context.print(`plan mode is ${word(active)}${soon}`);
      }
      const body = { active: state === 'on' };
      const request = { method: 'PUT' as const, path, body, idempotencyKey: randomUUID() };
      const { accepted, result } = await context.api().json(request, KnobReceipt);
      context.print(`plan mode ${state}: ${result ?? accepted}`);
    });
}

const word = (active: boolean): string => (active ? 'on' : 'off');
