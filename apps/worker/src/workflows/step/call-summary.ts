import { isBlobRef, parseArguments } from '@everturn/core/domain';
import type { RequestedCall } from '../../contract/index.ts';

const LONGEST = 80;
const CALLS_SHOWN = 3;

/** One line for operators: the tool and what it is about (`bash: run the tests`). */
export function summaryOf(call: Pick<RequestedCall, 'name' | 'arguments'>): string {
  const subject = subjectOf(call);
  return subject === undefined ? call.name : `${call.name}: ${shorten(subject)}`;
}

/** One line for all calls of a message. */
export function summaryOfAll(calls: readonly Pick<RequestedCall, 'name' | 'arguments'>[]): string {
  const shown = calls.slice(0, CALLS_SHOWN).map(summaryOf);
  const rest = calls.length - shown.length;
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(' · ');
}

function subjectOf(call: Pick<RequestedCall, 'arguments'>): string | undefined {
  if (isBlobRef(call.arguments)) return undefined;
  const args = parseArguments(call.arguments);
  if (typeof args !== 'object' || args === null) return undefined;
  const record = args as Record<string, unknown>;
  const keys = ['description', 'file_path', 'pattern', 'path', 'command'];
  return keys.map((key) => record[key]).find(isText) ?? progressOf(record['todos']);
}

/** A todo list is about what is being done, or how much of it is. */
function progressOf(todos: unknown): string | undefined {
  if (!Array.isArray(todos)) return undefined;
  const items = todos.filter((item): item is Record<string, unknown> => typeof item === 'object' && item !== null);
  const current = items.find(({ status }) => status === 'in_progress')?.['content'];
  if (isText(current)) return current;
  return `${items.filter(({ status }) => status === 'completed').length} of ${items.length} done`;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= LONGEST
    ? line
    : `${Array.from(line)
        .slice(0, LONGEST - 1)
        .join('')}…`;
}
