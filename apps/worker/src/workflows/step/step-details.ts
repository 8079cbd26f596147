import { setCurrentDetails } from '@temporalio/workflow';
import { assertNever, type Question } from '@everturn/core/domain';
import type { RequestedCall } from '../../contract/index.ts';
import type { CallRun } from './call-run.ts';
import { summaryOf } from './call-summary.ts';
import { literal } from '../shared/inert-markdown.ts';
import { publishStep } from '../shared/search-attributes.ts';
import type { StepState } from './step-state.ts';

/** What a person is asked about one call. */
export type ShownQuestion = { id: string; call: RequestedCall } & (
  | { kind: 'approval'; reason?: string }
  | { kind: 'question'; questions: readonly Question[] }
);

/** Makes the step findable by the tools it calls. */
export function publishTools(step: StepState, calls: RequestedCall[]): void {
  const { model } = step.assembly.config;
  publishStep(step.input.searchAttributes, { model, tools: calls.map(({ name }) => name) });
}

/** Shows operators how far the step's calls are and, while a person is asked, what and how to answer. */
export function describeStep(step: StepState, question?: ShownQuestion): void {
  const { session, turn, step: number } = step.input;
  setCurrentDetails(stepDetails({ session, turn, step: number, runs: step.runs, question }));
}

interface StepDetailsInput {
  session: string;
  turn: number;
  step: number;
  runs: readonly Pick<CallRun, 'call' | 'state' | 'end'>[];
  question: ShownQuestion | undefined;
}

/** The same as text. */
export function stepDetails({ session, turn, step, runs, question }: StepDetailsInput): string {
  const calls = runs.map((run) => `- ${progress(run, question)}: ${literal(summaryOf(run.call))}`);
  return [`**Step ${step} of turn ${turn}**`, '', ...calls, ...(question ? asked(session, question) : [])].join('\n');
}

function asked(session: string, shown: ShownQuestion): string[] {
  if (shown.kind === 'question') return askedQuestions(session, shown.id, shown.questions);
  const { id, call, reason } = shown;
  return [
    '',
    `**Waiting for approval** of ${literal(summaryOf(call))}${reason === undefined ? '' : `: ${literal(reason)}`}`,
    '',
    `Answer with \`POST /v1/sessions/${session}/approvals/${id}\` and \`{"decision":"allow"}\` or \`"deny"\`.`,
  ];
}

function askedQuestions(session: string, id: string, questions: readonly Question[]): string[] {
  const lines = questions.flatMap(({ id: name, question, options = [] }) => [
    `- ${literal(name)}: ${literal(question)}`,
    ...options.map(({ label }) => `  - ${literal(label)}`),
  ]);
  const example = '{"answers":[{"id":…,"selected":[…]}]}';
  return [
    '',
    '**Waiting for answers**',
    '',
    ...lines,
    '',
    `Answer with \`POST /v1/sessions/${session}/questions/${id}/answer\` and \`${example}\`.`,
  ];
}

function progress({ call, state, end }: StepDetailsInput['runs'][number], question: ShownQuestion | undefined): string {
  switch (state) {
    case 'waiting':
      return 'not started';
    case 'running':
      return question?.call.index === call.index ? 'not allowed yet' : 'runs';
    case 'finished':
    case 'committed':
      return end?.kind === 'outcome' && !end.outcome.isError ? 'done' : 'failed';
    default:
      return assertNever(state);
  }
}
