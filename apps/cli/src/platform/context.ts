import { ApiClient } from './api-client.ts';
import { readSettings, type Settings } from './settings.ts';
import { styleFor, type Style } from '../terminal/style.ts';

/** What every command gets: settings when it asks for them, and where to write. */
export class Context {
  readonly style: Style = styleFor(process.stdout);
  #settings: Settings | undefined;

  /** Read at the first use, so that --help needs no configuration; throws ConfigError. */
  get settings(): Settings {
    return (this.#settings ??= readSettings());
  }

  api(): ApiClient {
    return new ApiClient(this.settings);
  }

  /** Writes a line to stdout. */
  print(line: string): void {
    process.stdout.write(`${line}\n`);
  }

  /** Writes a value as one line of JSON; JSON escapes control characters, so nothing in it acts on a terminal. */
  printJson(value: unknown): void {
    process.stdout.write(`${inertJson(value)}\n`);
  }
}

/** JSON with every character escaped that a terminal might act on. */
export function inertJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return text.replaceAll(/[\u007f-\u009f\u2028\u2029]|(?![\u200c\u200d])\p{Cf}/gu, (match) =>
    Array.from({ length: match.length }, (_, at) => `\\u${match.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    ),
  );
}
