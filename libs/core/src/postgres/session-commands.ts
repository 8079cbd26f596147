import type { CommandDescription, SessionId, TenantId } from '../domain/index.ts';
import type { Database } from './database.ts';

/** Commands that not every session has, as JSON. */
export interface SessionCommandsTable {
  session_id: string;
  tenant: string;
  commands: string;
}

interface CommandsKey {
  tenant: TenantId;
  session: SessionId;
}

/** Keeps which commands a session has besides those of all. */
export async function writeSessionCommands(
  database: Database,
  { tenant, session, commands }: CommandsKey & { commands: readonly CommandDescription[] },
): Promise<void> {
  // As text: what a plugin says may hold what jsonb refuses.
  const row = { tenant, session_id: session, commands: JSON.stringify(commands).replaceAll('\\u0000', '\\ufffd') };
  await database
    .insertInto('session_commands')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('session_id')
        .doUpdateSet({ commands: row.commands })
        .where('session_commands.tenant', '=', tenant)
        .where('session_commands.commands', '<>', row.commands),
    )
    .execute();
}

/** The commands a session has besides those of all, as a worker saw them last. */
export async function readSessionCommands(
  database: Database,
  { tenant, session }: CommandsKey,
): Promise<CommandDescription[]> {
  const row = await database
    .selectFrom('session_commands')
    .select('commands')
    .where('tenant', '=', tenant)
    .where('session_id', '=', session)
    .executeTakeFirst();
  return row ? (JSON.parse(row.commands) as CommandDescription[]) : [];
}
