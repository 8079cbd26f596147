import { parentPort, workerData } from 'node:worker_threads';
import { toMarkdown } from './to-markdown.ts';

/** What the thread is given when it starts. */
export interface HtmlThreadInput {
  html: string;
  maxCharacters: number;
}

const { html, maxCharacters } = workerData as HtmlThreadInput;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.postMessage(toMarkdown(html, maxCharacters));
