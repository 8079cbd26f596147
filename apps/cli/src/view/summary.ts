import { count, duration, plural } from '../terminal/format.ts';
import { inert, inertLine } from '../terminal/inert.ts';
import type { Style } from '../terminal/style.ts';
import type { FileChange } from '../workspace/compare.ts';
import { describeEnd } from './describe-end.ts';
import type { RunOutcome } from './run-outcome.ts';

export interface SummaryInput {
  outcome: RunOutcome;
  session: string;
  style: Style;
  /** Absent when the workspace is not on this machine. */
  changes?: readonly FileChange[] | undefined;
  workspace?: string | undefined;
  /** The run in the Temporal UI. */
  temporalUrl?: string | undefined;
}

const MAX_FILES = 20;
const MAX_DIFF_LINES = 40;

/** What stands below a finished run: how it ended, what it took, what changed, where to look. */
export function summary({ outcome, session, style, changes, workspace, temporalUrl }: SummaryInput): string[] {
  const end = outcome.reason === undefined ? 'not finished' : describeEnd(outcome.reason);
  const color = outcome.reason?.kind === 'completed' ? style.green : style.yellow;
  const row = (name: string, text: string) => `  ${style.bold(name.padEnd(10))} ${text}`;
  return [
    style.dim('─'.repeat(60)),
    row('result', color(end)),
    row('work', workOf(outcome)),
    row('tokens', tokensOf(outcome)),
    ...(changes === undefined ? [] : [row('files', filesOf(changes)), ...changesOf(changes, style)]),
    ...(workspace === undefined ? [] : [row('workspace', inertLine(workspace, 300))]),
    row('session', inertLine(session, 128)),
    ...(temporalUrl === undefined ? [] : [row('Temporal', inertLine(temporalUrl, 500))]),
  ];
}

/** The one line that does the same with the user's own model. */
export function ownModelHint(style: Style): string[] {
  return [
    '',
    '  The same with your own model (any OpenAI-compatible endpoint):',
    `    ${style.bold('OPENAI_BASE_URL=… OPENAI_API_KEY=… npm run up -- "your prompt"')}`,
  ];
}

function workOf({ steps, toolCalls, retries, startedAt, endedAt }: RunOutcome): string {
  return [
    plural(steps, 'step'),
    plural(toolCalls, 'tool call'),
    ...(retries > 0 ? [`${count(retries)} ${retries === 1 ? 'retry' : 'retries'}`] : []),
    ...(startedAt !== undefined && endedAt !== undefined ? [duration(endedAt - startedAt)] : []),
  ].join(', ');
}

function tokensOf({ usage }: RunOutcome): string {
  const cached = usage.cacheReadTokens + usage.cacheWriteTokens;
  const reasoning = usage.reasoningTokens;
  return [
    `${count(usage.inputTokens + cached)} in${cached > 0 ? ` (${count(cached)} by cache)` : ''}`,
    `${count(usage.outputTokens)} out${reasoning > 0 ? ` (${count(reasoning)} reasoning)` : ''}`,
    ...(usage.costUsd === undefined ? [] : [`$${usage.costUsd.toFixed(4)}`]),
  ].join(', ');
}

function filesOf(changes: readonly FileChange[]): string {
  const kinds = (['added', 'changed', 'removed'] as const).map((kind) => {
    const number = changes.filter((change) => change.kind === kind).length;
    return number > 0 ? `${number} ${kind}` : undefined;
  });
  return kinds.filter((kind) => kind !== undefined).join(', ') || 'none changed';
}

function changesOf(changes: readonly FileChange[], style: Style): string[] {
  const signs = { added: style.green('A'), changed: style.yellow('M'), removed: style.red('D') };
  const lines: string[] = [];
  let room = MAX_DIFF_LINES;
  for (const { path, kind, added, removed, patch = [] } of changes.slice(0, MAX_FILES)) {
    const counts = added === undefined || removed === undefined ? 'not text, or too large' : `+${added} −${removed}`;
    lines.push(`    ${signs[kind]} ${inertLine(path, 200)}  ${style.dim(counts)}`);
    // A new or removed file is all one color; its name says enough.
    if (kind !== 'changed' || patch.length === 0 || patch.length > room) continue;
    room -= patch.length;
    lines.push(...patch.map((line) => `      ${paint(inert(line.slice(0, 200)), style)}`));
  }
  const rest = changes.length - MAX_FILES;
  return rest > 0 ? [...lines, style.dim(`    and ${plural(rest, 'more file')}`)] : lines;
}

function paint(line: string, style: Style): string {
  if (line.startsWith('+')) return style.green(line);
  if (line.startsWith('-')) return style.red(line);
  return style.dim(line);
}
