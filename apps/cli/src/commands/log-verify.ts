import { SessionId } from '@everturn/core/domain';
import type { Command } from 'commander';
import { parsed } from '../platform/arguments.ts';
import type { Context } from '../platform/context.ts';
import { withLog } from '../platform/projection.ts';
import { verifyLines } from '../view/verify-lines.ts';

/** `log verify <session>`: the stored log against histories and seals. */
export function addLogVerify(log: Command, context: Context): void {
  log
    .command('verify')
    .argument('<session>', 'its id', parsed(SessionId, 'session'))
    .description('Compare a stored log with the histories in Temporal, and below the last seal with the chain of seals')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', '\nExit status: 0 when the log is sound, 1 when it is not or could not be checked.')
    .action(async (session: SessionId, { json }: { json?: true }) => {
      const { verify } = await import('@everturn/worker/projection');
      const report = await withLog(context.settings, session, ({ projection, source, tenant, progress }) =>
        verify(projection, source, { tenant, session, progress }),
      );
      if (!report.sound) process.exitCode = 1;
      if (json) return context.printJson(report);
      for (const line of verifyLines({ session, report, style: context.style })) context.print(line);
    });
}
