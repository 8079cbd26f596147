import { parseArguments, textOf, type SessionEventOf } from '@everturn/core/domain';
import { findTool, type ToolView } from '@everturn/tools/catalog';
import { inertLine } from '../terminal/inert.ts';
import { plural } from '../terminal/format.ts';
import { diffTexts } from '../workspace/compare.ts';

/** A tool call as one shows it: what it does, in inert text. */
export interface CallTitle {
  tool: string;
  title: string;
}

/** How a call came out. `worked`: the tool did its part but what it ran failed. */
export interface CallResult {
  state: 'done' | 'worked' | 'failed';
  summary: string;
}

interface PresentInput {
  name: string;
  arguments: string;
  /** Left out of paths, since everybody knows it. */
  workspace?: string | undefined;
}

/** The title of a call: by the tool's own presenter, else its arguments as they stand. */
export function callTitle({ name, arguments: raw, workspace }: PresentInput): CallTitle {
  const view = findTool(name)?.presentCall?.(parseArguments(raw));
  const title = view === undefined ? raw : withoutVerb(titleOf(view), name);
  return { tool: inertLine(name, 40), title: inertLine(shortened(title, workspace), 100) };
}

/** One line about a result: exit status, changed lines, the text itself when it is short, or how long it is. */
export function callResult(call: PresentInput, data: SessionEventOf<'tool/result'>['data']): CallResult {
  const text = textOf(data.content);
  if (data.isError) return { state: 'failed', summary: inertLine(shortened(text, call.workspace), 160) };
  const view = findTool(call.name)?.presentResult?.(parseArguments(call.arguments), data);
  switch (view?.card) {
    case 'terminal':
      return terminalResult(view, text);
    case 'diff':
      return { state: 'done', summary: changedLines(view) };
    case 'generic':
      return {
        state: 'done',
        summary: inertLine(shortened(unwrapped(view.detail ?? text).split('\n', 1)[0] ?? '', call.workspace), 100),
      };
    case undefined:
      return { state: 'done', summary: textSummary(shortened(text, call.workspace)) };
    default:
      return { state: 'done', summary: '' };
  }
}

function titleOf(view: ToolView): string {
  if (view.card !== 'terminal' || view.title === view.command) return view.title;
  return `${view.title} · ${view.command}`;
}

/** `Read a.ts` says no more beside `read` than `a.ts` does. */
function withoutVerb(title: string, tool: string): string {
  const verb = `${tool} `;
  return title.toLowerCase().startsWith(verb) ? title.slice(verb.length) : title;
}

function terminalResult({ exit }: ToolView & { card: 'terminal' }, text: string): CallResult {
  if (exit && 'signal' in exit) return { state: 'worked', summary: `killed by ${inertLine(exit.signal, 20)}` };
  if (/\n\[timed out after \d+ms\]$/.test(text)) return { state: 'worked', summary: 'timed out' };
  if (exit && exit.code !== 0) return { state: 'worked', summary: `exit ${exit.code}, ${textSummary(text)}` };
  return { state: 'done', summary: textSummary(text) };
}

function changedLines({ diffs }: ToolView & { card: 'diff' }): string {
  const changes = diffs.map(({ oldText, newText }) => diffTexts(oldText ?? '', newText));
  const sum = (of: 'added' | 'removed') => changes.reduce((total, change) => total + (change?.[of] ?? 0), 0);
  return `+${sum('added')} −${sum('removed')}`;
}

/** What stands in the envelope that file tools put around it for the model. */
function unwrapped(text: string): string {
  return /\n<content>\n([\s\S]*)\n<\/content>$/.exec(text)?.[1] ?? text;
}

function textSummary(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  return lines <= 1 ? inertLine(text, 80) : plural(lines, 'line');
}

function shortened(text: string, workspace: string | undefined): string {
  return workspace === undefined ? text : text.slice(0, 2_000).replaceAll(`${workspace}/`, '');
}
