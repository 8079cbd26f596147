import type { Browser, BrowserPort } from '../../kit/index.ts';
import type { Conversation, ConverseInput } from '../processes/local-processes.ts';
import { findChromium } from './find-chromium.ts';
import { launchChromium } from './launch-chromium.ts';

export interface LocalBrowsersInput {
  /** The configured program; absent: the first the search path has. */
  chromium?: string;
  searchPath: string;
  converse(input: ConverseInput): Promise<Conversation>;
}

/** Browsers started on this machine, one for each session that asks. */
export class LocalBrowsers implements BrowserPort {
  readonly #input: LocalBrowsersInput;

  constructor(input: LocalBrowsersInput) {
    this.#input = input;
  }

  async launch(signal: AbortSignal): Promise<Browser> {
    const { chromium, searchPath, converse } = this.#input;
    const program = await findChromium(chromium, searchPath);
    const [{ StagehandBrowser }, started] = await Promise.all([
      import('./stagehand-browser.ts'), // half a second that only sessions with a browser pay
      launchChromium({ program, converse, signal }),
    ]);
    return new StagehandBrowser(started);
  }
}
