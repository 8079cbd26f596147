import { readFileSync } from 'node:fs';
import { ConfigError } from './config-error.ts';

/** A file that a variable names. */
export interface NamedFile {
  path: string;
  variable: string;
}

/** What the file holds; throws `CONFIG_FILE`. */
export function readJsonFile(file: NamedFile): unknown {
  try {
    return JSON.parse(readFileSync(file.path, 'utf8'));
  } catch (cause) {
    throw brokenFile(file, cause instanceof SyntaxError ? 'it is not JSON' : 'it cannot be read', cause);
  }
}

/** The text of a file; throws `CONFIG_FILE`. */
export function readTextFile(path: string, variable: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw brokenFile({ path, variable }, 'it cannot be read', cause);
  }
}

/** The error for a file that cannot be used. */
export function brokenFile({ path, variable }: NamedFile, why: string, cause?: unknown): ConfigError {
  const message = `${variable} is wrong: ${path}: ${why}. Correct the file or unset the variable.`;
  return new ConfigError('CONFIG_FILE', message, { cause });
}
