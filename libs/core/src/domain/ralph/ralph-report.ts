import { z } from 'zod';
import { explainIssues } from '../explain-issues.ts';
import type { JsonObject, JsonValue } from '../json.ts';

const said = z.string().trim().min(1, 'must say something');
const list = z.array(said);

/** What one round of a loop hands to the next, and the last one to whoever began the loop. */
export const RalphReport = z
  .strictObject({
    status: z.enum(['continue', 'complete', 'blocked']),
    summary: said,
    evidence: list,
    nextSteps: list,
    blocker: z.string().trim(),
  })
  .superRefine(({ status, evidence, nextSteps, blocker }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (status === 'continue' && nextSteps.length === 0) refuse('nextSteps', 'must name a next step to continue with');
    if (status === 'complete' && evidence.length === 0) refuse('evidence', 'must hold evidence of completion');
    if (status === 'complete' && nextSteps.length > 0) refuse('nextSteps', 'must be empty when all is complete');
    if (status === 'blocked' && blocker === '') refuse('blocker', 'must say what blocks');
    if (status !== 'blocked' && blocker !== '') refuse('blocker', `must be '' unless the status is blocked`);
  });
export type RalphReport = z.infer<typeof RalphReport>;

const strings = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

/** The same as a schema for the agent of a round; rules between fields are told in words. */
export const RALPH_REPORT_SCHEMA = {
  type: 'object',
  properties: {
    status: {
      type: 'string',
      enum: ['continue', 'complete', 'blocked'],
      description: '`complete`: all of the objective is reached; `blocked`: no round can go on; else `continue`.',
    },
    summary: { type: 'string', description: 'What this round did and found. Never empty.' },
    evidence: strings('What shows that the work is done and right; at least one entry with `complete`.'),
    nextSteps: strings('What is left to do, first things first; at least one with `continue`, none with `complete`.'),
    blocker: { type: 'string', description: "What keeps all rounds from going on; '' unless `blocked`." },
  },
  required: ['status', 'summary', 'evidence', 'nextSteps', 'blocker'],
  additionalProperties: false,
} as const satisfies JsonObject;

/** A report as it was checked, or everything that is wrong with it. */
export type ReadReport = { kind: 'report'; report: RalphReport } | { kind: 'invalid'; problem: string };

/** Checks what the agent of a round reported; texts are trimmed before they count. */
export function readReport(value: JsonValue, { maxHandoffChars }: { maxHandoffChars: number }): ReadReport {
  const read = RalphReport.safeParse(value);
  if (!read.success) return { kind: 'invalid', problem: explainIssues(read.error, 'report') };
  const { length } = JSON.stringify(read.data);
  return length <= maxHandoffChars
    ? { kind: 'report', report: read.data }
    : { kind: 'invalid', problem: `report: has ${length} characters, at most ${maxHandoffChars} are handed on` };
}
