import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@everturn/core/testing';
import { chromium, type Page } from 'playwright-core';

type Tab = 'Timeline' | 'Event History' | 'Relationships' | 'User Metadata';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface OpenInput {
  browser: string;
  uiUrl: string;
  namespace: string;
  /** Where pictures go; none are taken without. */
  pictures?: string | undefined;
}

/** The Temporal UI as an operator sees it, in a real browser with a profile of its own. */
export class TemporalPages {
  readonly #page: Page;
  readonly #input: OpenInput;
  readonly close: () => Promise<void>;

  private constructor(page: Page, input: OpenInput, close: () => Promise<void>) {
    this.#page = page;
    this.#input = input;
    this.close = close;
  }

  static async open(input: OpenInput): Promise<TemporalPages> {
    const profile = mkdtempSync(join(tmpdir(), 'everturn-chromium-'));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: input.browser,
      headless: true,
      viewport: { width: 1400, height: 900 },
      args: FLAGS,
    });
    context.setDefaultTimeout(30_000);
    return new TemporalPages(await context.newPage(), input, async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    });
  }

  /** Opens a workflow's page and one of its tabs. */
  async open(workflowId: string, tab: Tab): Promise<void> {
    const { uiUrl, namespace } = this.#input;
    await this.#page.goto(`${uiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`);
    await this.#page.getByRole('tab', { name: tab }).click();
  }

  /** The page's heading. */
  heading(): Promise<string> {
    return this.#page.getByRole('heading', { level: 1 }).innerText();
  }

  /** Waits until an element with that text is visible on the page itself, and returns all of its text. */
  async shown(text: string): Promise<string> {
    const element = this.#page.getByText(text).first();
    await element.waitFor({ state: 'visible' });
    return (await element.textContent()) ?? '';
  }

  /** Shows all children of the tree of workflows, and returns the ids it links to, in the page's order. */
  async family(count: number): Promise<string[]> {
    await this.#page.getByText('Expand All').click();
    const links = this.#page.getByRole('link', { name: /^session:/ });
    return waitFor(
      async () => {
        const names = [...new Set(await links.allInnerTexts())];
        return names.length >= count ? names : undefined;
      },
      { what: `${count} workflows in the tree`, timeoutMs: 30_000 },
    );
  }

  /** The lines of the rendered Markdown (summary and current details), once one of them is as expected. */
  metadata(expected: string): Promise<string[]> {
    return waitFor(
      async () => {
        const bodies = this.#page.frames().slice(1);
        const texts = await Promise.all(bodies.map((frame) => frame.locator('body').innerText()));
        const lines = texts.flatMap((text) => text.split('\n').map((line) => line.trim())).filter(Boolean);
        return lines.includes(expected) ? lines : undefined;
      },
      { what: `"${expected}" in the details`, timeoutMs: 30_000, everyMs: 200 },
    );
  }

  /** Keeps what the page looks like, where somebody asked for pictures. */
  async picture(name: string): Promise<void> {
    const { pictures } = this.#input;
    if (pictures) await this.#page.screenshot({ path: join(pictures, `${name}.png`) });
  }
}
