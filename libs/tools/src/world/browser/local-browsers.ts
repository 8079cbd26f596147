import type { Browser, BrowserPort } from '../../kit/index.ts';
import type { Conversation, ConverseInput } from '../processes/local-processes.ts';
import { findChromium } from './find-chromium.ts';
import { launchChromium } from './launch-chromium.ts';

export interface LocalBrowsersInput {
  /** A browser that runs already, by the address it is debugged at; it is one session's at a time. */
  attachTo?: string;
  /** The configured program; absent: the first the search path has. */
  chromium?: string;
  searchPath: string;
  converse(input: ConverseInput): Promise<Conversation>;
}

/** Browsers started on this machine, one for each session that asks, or one that was there before. */
export class LocalBrowsers implements BrowserPort {
  readonly #input: LocalBrowsersInput;
  #reserved = false;

  constructor(input: LocalBrowsersInput) {
    this.#input = input;
  }

  async launch(signal: AbortSignal): Promise<Browser> {
    const { attachTo, chromium, searchPath, converse } = this.#input;
    if (attachTo !== undefined) return this.#attach(attachTo);
    const program = await findChromium(chromium, searchPath);
    const [{ StagehandBrowser }, started] = await Promise.all([
      import('./stagehand-browser.ts'), // half a second that only sessions with a browser pay
      launchChromium({ program, converse, signal }),
    ]);
    return new StagehandBrowser(started);
  }

  /** Its process is somebody else's: it neither ends with the session nor tells of its end. */
  async #attach(cdpUrl: string): Promise<Browser> {
    if (this.#reserved) throw new Error('attached browser is already reserved by another Session');
    this.#reserved = true;
    try {
      const { StagehandBrowser } = await import('./stagehand-browser.ts');
      const end = async () => void (this.#reserved = false);
      return new StagehandBrowser({ cdpUrl, exited: Promise.withResolvers<never>().promise, end });
    } catch (error) {
      this.#reserved = false;
      throw error;
    }
  }
}
