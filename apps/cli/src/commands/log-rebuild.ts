import { SessionId } from '@everturn/core/domain';
import type { Command } from 'commander';
import { parsed } from '../platform/arguments.ts';
import type { Context } from '../platform/context.ts';
import { withLog } from '../platform/projection.ts';
import { plural } from '../terminal/format.ts';

/** `log rebuild <session>`: the stored log from its histories. */
export function addLogRebuild(log: Command, context: Context): void {
  log
    .command('rebuild')
    .argument('<session>', 'its id', parsed(SessionId, 'session'))
    .description('Restore a stored log from the histories in Temporal; rows below the last seal are left as they are')
    .option('--json', 'print the report as JSON')
    .action(async (session: SessionId, { json }: { json?: true }) => {
      const { rebuild } = await import('@everturn/worker/projection');
      const report = await withLog(context.settings, session, ({ projection, source, tenant, progress }) =>
        rebuild(projection, source, { tenant, session, progress }),
      );
      if (json) return context.printJson(report);
      const { restored, kept, gaps, effects, prompts, jobs } = report;
      context.print(
        `  ${context.style.green('✓')} ${session}: ${plural(restored, 'event')} restored, ${kept} as they must be`,
      );
      if (effects + prompts + jobs > 0)
        context.print(
          `    ${plural(effects, 'effect')}, ${plural(prompts, 'message')} and ${plural(jobs, 'background job')} restored`,
        );
      if (gaps > 0)
        context.print(
          `    ${plural(gaps, 'number')} without an event, listed in log_gaps: text pieces that no history keeps`,
        );
    });
}
