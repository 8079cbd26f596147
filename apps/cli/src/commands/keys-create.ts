import { TenantId } from '@everturn/core/domain';
import type { Command } from 'commander';
import { parsed } from '../platform/arguments.ts';
import type { Context } from '../platform/context.ts';
import { withDatabase } from '../platform/database.ts';

/** `keys create --tenant <tenant>`: the only time its secret is seen. */
export function addKeysCreate(keys: Command, context: Context): void {
  keys
    .command('create')
    .description('Make an API key and print it, once')
    .requiredOption('-t, --tenant <tenant>', 'whose key it is', parsed(TenantId, 'tenant'))
    .option('--name <name>', 'what it is for, for lists', '')
    .option('--admin', 'its tenant may install and remove plugins for the whole deployment')
    .option('--json', 'print id and key as JSON')
    .action(async ({ tenant, name, admin, json }: { tenant: TenantId; name: string; admin?: true; json?: true }) => {
      const { createApiKey } = await import('@everturn/core/postgres');
      const { id, secret } = await withDatabase(context.settings, (database) =>
        createApiKey(database, { tenant, name, ...(admin && { admin }) }),
      );
      if (json) return context.printJson({ id, tenant, name, ...(admin && { admin }), key: secret });
      // Only the key on stdout, so that a shell can take it from there.
      process.stderr.write(`key ${id} of tenant ${tenant}; it is not stored and cannot be shown again:\n`);
      context.print(secret);
    });
}
