import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cliConfig, cliConfigWith, type CliConfig } from '@everturn/core/config';
import { z } from 'zod';

/** The folder this program lies in, without a trailing slash. */
export const checkout = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/\/$/, '');

/** What the running stack of this checkout leaves for others; unknown members are its own business. */
const StackState = z.object({ environment: z.record(z.string(), z.string()) });

export interface Settings extends CliConfig {
  /** Absolute. */
  dataDir: string;
}

/** The environment, and for what it leaves out the stack that `npm run up` runs here. */
export function readSettings(): Settings {
  const dataDir = resolve(checkout, cliConfig().dataDir);
  const config = cliConfigWith({ ...keptKey(dataDir), ...stackEnvironment(dataDir) });
  return { ...config, dataDir };
}

/** The environment of a running stack; nothing when none runs or it left half a file. */
function stackEnvironment(dataDir: string): Record<string, string> {
  try {
    const text = readFileSync(join(dataDir, 'state.json'), 'utf8');
    return StackState.parse(JSON.parse(text)).environment;
  } catch {
    return {};
  }
}

/** The key `npm run up` keeps from one start to the next. */
function keptKey(dataDir: string): Record<string, string> {
  try {
    return { EVERTURN_API_KEY: readFileSync(join(dataDir, 'api-key'), 'utf8').trim() };
  } catch {
    return {};
  }
}
