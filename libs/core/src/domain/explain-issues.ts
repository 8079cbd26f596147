import type { z } from 'zod';

/** Renders a validator's complaints as one line, each with the path of its field. */
export function explainIssues(error: z.ZodError, label: string): string {
  return error.issues.map((issue) => `${path(label, issue.path)}: ${issue.message}`).join('; ');
}

function path(label: string, members: readonly PropertyKey[]): string {
  return members.reduce<string>(
    (prefix, member) => (typeof member === 'number' ? `${prefix}[${member}]` : `${prefix}.${String(member)}`),
    label,
  );
}
