import { ConfigError } from '../index.ts';

/** The least a worker is configured with. */
export const minimal = { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/d', TEMPORAL_ADDRESS: '127.0.0.1:17233' };

/** The error that a configuration is refused with. */
export function failure(read: () => unknown): { code: string; message: string } {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('it was accepted');
}
