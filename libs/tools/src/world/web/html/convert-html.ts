import { Worker } from 'node:worker_threads';
import type { HtmlThreadInput } from './html-thread.ts';
import { Slots } from './slots.ts';
import type { Markdown } from './to-markdown.ts';

const MAX_HEAP_MB = 256;
const MAX_AT_ONCE = 2;
/** A page that takes longer is shown as it was sent. */
const MAX_CONVERSION_MS = 10_000;
/** As is one whose turn comes later than this. */
const MAX_WAIT_MS = 10_000;

const slots = new Slots(MAX_AT_ONCE);

export interface ConvertHtmlInput extends HtmlThreadInput {
  signal: AbortSignal;
}

/**
 * A page as Markdown, or `undefined` when it cannot be converted: nested too deep, too slow, more than the converter
 * can hold, or behind too many others, as there is a bound on what all of them may take. A thread of its own does it:
 * five megabytes of tags would keep this one from its heartbeats. Throws the signal's reason when it is raised.
 */
export async function convertHtml(input: ConvertHtmlInput): Promise<Markdown | undefined> {
  const patience = AbortSignal.timeout(MAX_WAIT_MS);
  try {
    return await slots.run(AbortSignal.any([input.signal, patience]), () => convert(input));
  } catch (error) {
    input.signal.throwIfAborted();
    if (patience.aborted) return undefined;
    throw error;
  }
}

async function convert({ html, maxCharacters, signal }: ConvertHtmlInput): Promise<Markdown | undefined> {
  const workerData: HtmlThreadInput = { html, maxCharacters };
  const thread = new Worker(new URL('html-thread.ts', import.meta.url), {
    workerData,
    env: {}, // nothing of the worker's settings is its business
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    stdout: true,
    stderr: true,
  });
  const stop = () => void thread.terminate();
  const limit = setTimeout(stop, MAX_CONVERSION_MS);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const converted = await new Promise<Markdown | undefined>((resolve) => {
      thread.once('message', (markdown: Markdown) => resolve(markdown));
      thread.once('error', () => resolve(undefined));
      thread.once('exit', () => resolve(undefined));
    });
    signal.throwIfAborted();
    return converted;
  } finally {
    clearTimeout(limit);
    signal.removeEventListener('abort', stop);
    await thread.terminate();
  }
}
