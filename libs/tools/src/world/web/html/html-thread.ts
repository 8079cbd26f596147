import { parentPort, workerData } from 'node:worker_threads';
import { toMarkdown } from './to-markdown.ts';

/** What the thread is given when it starts. */
export interface HtmlThreadInput {
  html: string;
  maxCharacters: number;
}

const { html, maxCharacters } = workerData as HtmlThreadInput;
parentPort?.postMessage(toMarkdown(html, maxCharacters));
