import { TenantId } from '@everturn/core/domain';
import type { Command } from 'commander';
import { parsed } from '../platform/arguments.ts';
import type { Context } from '../platform/context.ts';
import { withDatabase } from '../platform/database.ts';
import { inertLine } from '../terminal/inert.ts';
import { table } from '../terminal/table.ts';

/** `keys list --tenant <tenant>`. */
export function addKeysList(keys: Command, context: Context): void {
  keys
    .command('list')
    .description("List a tenant's API keys, without their secrets")
    .requiredOption('-t, --tenant <tenant>', 'whose keys', parsed(TenantId, 'tenant'))
    .option('--json', 'print them as JSON')
    .action(async ({ tenant, json }: { tenant: TenantId; json?: true }) => {
      const { listApiKeys } = await import('@everturn/core/postgres');
      const found = await withDatabase(context.settings, (database) => listApiKeys(database, tenant));
      if (json) return context.printJson(found);
      if (found.length === 0) return context.print(`tenant ${tenant} has no keys`);
      const now = Date.now();
      const rows = found.map(({ id, name, admin, createdAt, expiresAt, revokedAt }) => [
        id,
        revokedAt ? 'revoked' : expiresAt && expiresAt.getTime() <= now ? 'expired' : 'in force',
        createdAt.toISOString().slice(0, 19).replace('T', ' '),
        admin ? 'admin' : '-',
        inertLine(name, 80) || '-',
      ]);
      const [head = '', ...lines] = table([['KEY', 'STATE', 'CREATED', 'MAY', 'NAME'], ...rows]);
      context.print(context.style.dim(head));
      for (const line of lines) context.print(line);
    });
}
