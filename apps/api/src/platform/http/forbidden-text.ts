import { MAX_JSON_DEPTH } from '@everturn/core/domain';
import type { FieldIssue } from '../errors/problem.ts';

/**
 * Finds text that no database, provider or terminal keeps intact: NUL characters and lone surrogates, in members and
 * in member names; also `__proto__` as a name, and nesting deeper than readers can follow. Returns the first 20.
 */
export function forbiddenText(value: unknown, field: string): FieldIssue[] {
  const issues: FieldIssue[] = [];
  visit(value, field, 0, issues);
  return issues;
}

const MAX_ISSUES = 20;

function visit(value: unknown, field: string, depth: number, issues: FieldIssue[]): void {
  if (issues.length >= MAX_ISSUES) return;
  if (typeof value === 'string') {
    const message = fault(value);
    if (message) issues.push({ field, message });
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_JSON_DEPTH) {
    issues.push({ field: field.slice(0, 200), message: `is nested deeper than ${MAX_JSON_DEPTH} levels` });
    return;
  }
  if (Array.isArray(value)) value.forEach((member, index) => visit(member, `${field}[${index}]`, depth + 1, issues));
  else for (const [name, member] of Object.entries(value)) visitMember(name, member, field, depth, issues);
}

function visitMember(name: string, member: unknown, field: string, depth: number, issues: FieldIssue[]): void {
  const message = name === '__proto__' ? 'is a name that is not allowed' : fault(name);
  if (message) issues.push({ field: `${field}[${JSON.stringify(name)}]`, message });
  else visit(member, `${field}.${name}`, depth + 1, issues);
}

function fault(text: string): string | undefined {
  if (text.includes('\0')) return 'holds a NUL character, which cannot be stored';
  return text.isWellFormed() ? undefined : 'holds half a surrogate pair, which is not Unicode text';
}
