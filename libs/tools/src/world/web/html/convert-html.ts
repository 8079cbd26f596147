import { Worker } from 'node:worker_threads';
import type { HtmlThreadInput } from './html-thread.ts';
import type { Markdown } from './to-markdown.ts';

const MAX_HEAP_MB = 512;
/** A page that takes longer is shown as it was sent. */
const MAX_CONVERSION_MS = 10_000;

export interface ConvertHtmlInput extends HtmlThreadInput {
  signal: AbortSignal;
}

/**
 * A page as Markdown, or `undefined` when it cannot be converted: nested too deep, too slow, or more than the
 * converter can hold. A thread of its own does it: five megabytes of tags would keep this one from its heartbeats.
 * Throws the signal's reason when it is raised.
 */
export async function convertHtml({ html, maxCharacters, signal }: ConvertHtmlInput): Promise<Markdown | undefined> {
  signal.throwIfAborted();
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
