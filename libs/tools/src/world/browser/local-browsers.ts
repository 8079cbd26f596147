import type { Browser, BrowserPort } from '../../kit/index.ts';
import type { Conversation, ConverseInput } from '../processes/local-processes.ts';
import { findChromium } from './find-chromium.ts';
import { launchChromium } from './launch-chromium.ts';
import type { StagehandBrowser } from './stagehand-browser.ts';

/** What bounds the browsers of a worker: each takes some hundred megabytes, and sessions live for weeks. */
export interface BrowserLimits {
  /** Browsers of ours at the same time. */
  browsers: number;
  /** ms after which one that nobody uses is ended. */
  idleMs: number;
}

const LIMITS: BrowserLimits = { browsers: 8, idleMs: 30 * 60_000 };

export interface LocalBrowsersInput {
  /** A browser that runs already, by the address it is debugged at; it is one session's at a time. */
  attachTo?: string;
  /** The configured program; absent: the first the search path has. */
  chromium?: string;
  searchPath: string;
  converse(input: ConverseInput): Promise<Conversation>;
  limits?: Partial<BrowserLimits> | undefined;
}

/** Browsers started on this machine, one for each session that asks, or one that was there before. */
export class LocalBrowsers implements BrowserPort {
  readonly #input: LocalBrowsersInput;
  readonly #limits: BrowserLimits;
  readonly #running = new Set<StagehandBrowser>();
  #starting = 0;
  #reserved = false;

  constructor(input: LocalBrowsersInput) {
    this.#input = input;
    this.#limits = { ...LIMITS, ...input.limits };
  }

  async launch(signal: AbortSignal): Promise<Browser> {
    const { attachTo, chromium, searchPath } = this.#input;
    if (attachTo !== undefined) return this.#attach(attachTo);
    const program = await findChromium(chromium, searchPath);
    this.#starting += 1;
    try {
      await this.#makeRoom();
      return await this.#start(program, signal);
    } finally {
      this.#starting -= 1;
    }
  }

  async #start(program: string, signal: AbortSignal): Promise<Browser> {
    const { converse } = this.#input;
    const [{ StagehandBrowser }, started] = await Promise.all([
      import('./stagehand-browser.ts'), // half a second that only sessions with a browser pay
      launchChromium({ program, converse, signal }),
    ]);
    const browser = new StagehandBrowser(started);
    this.#running.add(browser);
    void started.exited.then(() => this.#running.delete(browser));
    this.#endWhenIdle(browser, this.#limits.idleMs);
    return browser;
  }

  /** Ends whom nobody used for longest, so that many sessions do not fill the machine's memory. */
  async #makeRoom(): Promise<void> {
    const { browsers } = this.#limits;
    const running = [...this.#running].filter(({ ended }) => ended === false);
    if (running.length + this.#starting <= browsers) return;
    const [longest] = running.filter(({ busy }) => !busy).toSorted((a, b) => a.lastUsed - b.lastUsed);
    if (!longest) throw new Error(`all ${browsers} browsers of this machine are busy; try again later`);
    await longest.retire();
  }

  #endWhenIdle(browser: StagehandBrowser, inMs: number): void {
    setTimeout(() => {
      if (browser.ended !== false) return;
      const left = browser.busy ? this.#limits.idleMs : browser.lastUsed + this.#limits.idleMs - performance.now();
      if (left > 0) this.#endWhenIdle(browser, left);
      else void browser.retire();
    }, inMs).unref();
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
