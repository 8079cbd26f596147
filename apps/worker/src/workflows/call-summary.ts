import { isBlobRef, parseArguments } from '@everturn/core/domain';
import type { RequestedCall } from '../contract/index.ts';

const LONGEST = 80;

/** One line for operators: the tool and what it is about (`bash: run the tests`). */
export function summaryOf(call: RequestedCall): string {
  const subject = subjectOf(call);
  return subject === undefined ? call.name : `${call.name}: ${shorten(subject)}`;
}

function subjectOf(call: RequestedCall): string | undefined {
  if (isBlobRef(call.arguments)) return undefined;
  const args = parseArguments(call.arguments);
  if (typeof args !== 'object' || args === null) return undefined;
  const record = args as Record<string, unknown>;
  return ['description', 'file_path', 'pattern', 'path', 'command'].map((key) => record[key]).find(isText);
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
