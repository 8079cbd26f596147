import { localBrowser, Stagehand, type Page } from '@browserbasehq/stagehand';
import { asJsonValue, type JsonObject, type JsonValue } from '@everturn/core/domain';
import { z } from 'zod';
import type { Browser, BrowserCall, BrowserPage, BrowserTab } from '../../kit/index.ts';
import { clientModel } from './client-model.ts';
import type { Chromium } from './launch-chromium.ts';

const OPERATION_TIMEOUT_MS = 30_000;
const CLOSING_MS = 5_000;
const ATTEMPTS = 10;
const ATTEMPT_PAUSE_MS = 200;

const EMPTY = 'about:blank';

export const STALE_TAB = 'Stagehand browser tab is unavailable; list tabs to select a current pageId';

/** Stagehand on a browser of ours. */
export class StagehandBrowser implements Browser {
  readonly #chromium: Chromium;
  #connection: Promise<Stagehand> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #call: BrowserCall | undefined;

  #waiting = 0;
  #ended: Browser['ended'] = false;
  /** When it was last used, by `performance.now()`. */
  lastUsed = performance.now();

  constructor(chromium: Chromium) {
    this.#chromium = chromium;
    void chromium.exited.then(() => (this.#ended ||= true));
  }

  get ended(): Browser['ended'] {
    return this.#ended;
  }

  /** Whether an operation runs or waits to. */
  get busy(): boolean {
    return this.#waiting > 0;
  }

  /** Ends it although its session goes on; what refuses to go ends with the worker. */
  async retire(): Promise<void> {
    this.#ended ||= 'unused';
    await this.dispose().catch(() => undefined);
  }

  navigate(url: string, call: BrowserCall): Promise<BrowserPage> {
    return this.#run(call, async (stagehand) => {
      const page = await pageOf(stagehand, call.pageId);
      await page.goto(url, { timeout: OPERATION_TIMEOUT_MS });
      return describe(page);
    });
  }

  tabs(call: BrowserCall): Promise<BrowserTab[]> {
    return this.#run(call, listTabs);
  }

  newTab(url: string | undefined, call: BrowserCall): Promise<BrowserTab[]> {
    return this.#run(call, async (stagehand) => {
      const page = await stagehand.browser.context.newPage(url ?? EMPTY);
      await stagehand.browser.context.setActivePage(page);
      return listTabs(stagehand);
    });
  }

  selectTab(call: BrowserCall): Promise<BrowserTab[]> {
    return this.#run(call, async (stagehand) => {
      await stagehand.browser.context.setActivePage(await pageOf(stagehand, call.pageId));
      return listTabs(stagehand);
    });
  }

  closeTab(call: BrowserCall): Promise<BrowserTab[]> {
    return this.#run(call, async (stagehand) => {
      const page = await pageOf(stagehand, call.pageId);
      const { context } = stagehand.browser;
      if ((await context.pages()).length === 1) await context.newPage(EMPTY); // a browser without a tab ends
      await page.close();
      return listTabs(stagehand);
    });
  }

  act(instruction: string, call: BrowserCall): Promise<JsonObject> {
    return this.#run(call, async (stagehand) => {
      const page = await pageOf(stagehand, call.pageId);
      const { data } = await stagehand.act(instruction, { page, timeout: OPERATION_TIMEOUT_MS });
      if (!data.success) throw new Error(`the browser could not do it: ${data.message}`);
      return asJsonValue(data) as JsonObject;
    });
  }

  observe(instruction: string, call: BrowserCall): Promise<JsonValue> {
    return this.#run(call, async (stagehand) => {
      const page = await pageOf(stagehand, call.pageId);
      return asJsonValue((await stagehand.observe(instruction, { page, timeout: OPERATION_TIMEOUT_MS })).data);
    });
  }

  extract(instruction: string, schema: JsonObject | undefined, call: BrowserCall): Promise<JsonValue> {
    return this.#run(call, async (stagehand) => {
      const options = { page: await pageOf(stagehand, call.pageId), timeout: OPERATION_TIMEOUT_MS };
      if (schema === undefined) return (await stagehand.extract(instruction, options)).data as JsonValue;
      return (await stagehand.extract(instruction, zodSchema(schema) as never, options)).data as JsonValue; // its zod is another copy;
    });
  }

  screenshot(fullPage: boolean, call: BrowserCall): Promise<{ pageId: string; png: Uint8Array }> {
    return this.#run(call, async (stagehand) => {
      const page = await pageOf(stagehand, call.pageId);
      return {
        pageId: page.pageId,
        png: await page.screenshot({ type: 'png', fullPage, timeout: OPERATION_TIMEOUT_MS }),
      };
    });
  }

  async dispose(): Promise<void> {
    await this.#disconnect();
    await this.#chromium.end();
  }

  /** One operation at a time. A cancel raises at once; what ran is drained and its connection dropped before the next. */
  async #run<T>(call: BrowserCall, operation: (stagehand: Stagehand) => Promise<T>): Promise<T> {
    const cancelled = whenAborted(call.signal);
    this.#waiting += 1;
    const work = this.#queue.then(async () => {
      call.signal.throwIfAborted();
      this.#call = call;
      return operation(await this.#connect());
    });
    const drained = Promise.race([work, cancelled.promise.catch(() => afterMs(CLOSING_MS))]).catch(() => undefined);
    this.#queue = drained
      .then(() => (call.signal.aborted ? this.#disconnect() : undefined))
      .finally(() => {
        this.#waiting -= 1;
        this.lastUsed = performance.now();
      });
    try {
      return await Promise.race([work, cancelled.promise]);
    } catch (error) {
      throw explained(error);
    } finally {
      cancelled.stop();
    }
  }

  /** The connection, made again when it was lost; operations come one at a time, so nobody else does the same. */
  async #connect(): Promise<Stagehand> {
    const known = await this.#connection?.catch(() => undefined);
    if (known?.browser.connected) return known;
    this.#connection = this.#open();
    return this.#connection;
  }

  /** The extension takes a moment to notice that the connection before is gone, and refuses or drops us until then. */
  async #open(): Promise<Stagehand> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt();
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        await afterMs(ATTEMPT_PAUSE_MS);
      }
    }
  }

  async #attempt(): Promise<Stagehand> {
    const browser = await localBrowser.connect({ cdpUrl: this.#chromium.cdpUrl });
    try {
      const model = clientModel(() => this.#call);
      const stagehand = await Stagehand.create({ browser, logging: { level: 'off' }, model });
      await browser.context.pages();
      return stagehand;
    } catch (error) {
      await browser.disconnect().catch(() => undefined);
      throw error;
    }
  }

  async #disconnect(): Promise<void> {
    const connection = await this.#connection?.catch(() => undefined);
    this.#connection = undefined;
    if (!connection) return;
    await Promise.race([connection.close().catch(() => undefined), afterMs(CLOSING_MS)]);
    await connection.browser.disconnect().catch(() => undefined); // its process stays
  }
}

async function pageOf({ browser: { context } }: Stagehand, pageId: string | undefined): Promise<Page> {
  if (pageId === undefined) return (await context.activePage()) ?? (await context.newPage(EMPTY));
  const found = (await context.pages()).find((page) => page.pageId === pageId);
  if (!found) throw new Error(STALE_TAB);
  return found;
}

const describe = async (page: Page): Promise<BrowserPage> => ({
  pageId: page.pageId,
  url: await page.url(),
  title: await page.title(),
});

async function listTabs({ browser: { context } }: Stagehand): Promise<BrowserTab[]> {
  const [pages, active] = await Promise.all([context.pages(), context.activePage()]);
  return Promise.all(
    pages.map(async (page) => ({ ...(await describe(page)), active: page.pageId === active?.pageId })),
  );
}

function zodSchema(schema: JsonObject): z.ZodType {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (cause) {
    throw new Error(
      `schema is no JSON Schema that can be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

const explained = (error: unknown): unknown =>
  error instanceof Error && /page ".*" was not found/.test(error.message)
    ? new Error(STALE_TAB, { cause: undefined })
    : error;

function whenAborted(signal: AbortSignal): { promise: Promise<never>; stop(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const onAbort = () => reject(new Error('the operation was cancelled'));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return { promise, stop: () => signal.removeEventListener('abort', onAbort) };
}

const afterMs = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
