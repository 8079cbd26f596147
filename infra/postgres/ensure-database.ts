import { Client } from 'pg';

const duplicateDatabase = '42P04';

/** Creates the database on the server unless it is there; answers its URL. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<string> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (error) {
    if ((error as { code?: string }).code !== duplicateDatabase) throw error;
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
