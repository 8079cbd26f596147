import { join } from 'node:path';
import { runInstaller, type InstallerInput } from './run-installer.ts';

export interface NpmInput extends Pick<InstallerInput, 'processes' | 'folder' | 'signal' | 'timeoutMs'> {
  /** Where downloads are kept between installs. */
  cache: string;
  args: readonly string[];
}

/** Runs npm in a folder, with none of anybody's settings. */
export function runNpm({ cache, args, ...input }: NpmInput): Promise<string> {
  const { folder } = input;
  return runInstaller({
    ...input,
    argv: ['npm', ...args],
    what: `npm ${args[0]}`,
    environment: {
      npm_config_cache: cache,
      npm_config_userconfig: join(folder, '.npmrc-none'),
      npm_config_globalconfig: join(folder, '.npmrc-none-either'),
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    },
  });
}
