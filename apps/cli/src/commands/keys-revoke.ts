import { TenantId } from '@everturn/core/domain';
import type { Command } from 'commander';
import { parsed } from '../platform/arguments.ts';
import { CliError } from '../platform/cli-error.ts';
import type { Context } from '../platform/context.ts';
import { withDatabase } from '../platform/database.ts';

/** `keys revoke <id> --tenant <tenant>`. */
export function addKeysRevoke(keys: Command, context: Context): void {
  keys
    .command('revoke')
    .argument('<id>', 'as `keys list` shows it')
    .description('End an API key at once; a running API may take it, and serve its streams, a few seconds longer')
    .requiredOption('-t, --tenant <tenant>', 'whose key', parsed(TenantId, 'tenant'))
    .action(async (id: string, { tenant }: { tenant: TenantId }) => {
      const { revokeApiKey } = await import('@everturn/core/postgres');
      const revoked = await withDatabase(context.settings, (database) => revokeApiKey(database, { tenant, id }));
      if (revoked) return context.print(`key ${id} is revoked`);
      throw new CliError({
        code: 'CLI_REFUSED',
        what: `tenant ${tenant} has no key ${JSON.stringify(id)} in force`,
        remedy: `see \`everturn keys list --tenant ${tenant}\``,
      });
    });
}
