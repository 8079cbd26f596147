import { setCurrentDetails } from '@temporalio/workflow';
import type { RequestedCall } from '../contract/index.ts';
import { summaryOf } from './call-summary.ts';
import { publishStep } from './search-attributes.ts';
import type { StepState } from './step-state.ts';

/** Shows operators which calls the step runs. */
export function describeBatch(step: StepState, calls: RequestedCall[]): void {
  const { turn, step: number, searchAttributes } = step.input;
  setCurrentDetails([`step ${number} of turn ${turn}`, '', ...calls.map((call) => `- ${summaryOf(call)}`)].join('\n'));
  const { model } = step.assembly.config;
  publishStep(searchAttributes, { model, tools: calls.map(({ name }) => name) });
}

/** Shows operators what a person is asked, and how to answer. */
export function describeQuestion(step: StepState, call: RequestedCall, id: string, reason: string | undefined): void {
  const { session } = step.input;
  setCurrentDetails(
    [
      `**waiting for approval**: ${summaryOf(call)}`,
      ...(reason === undefined ? [] : ['', reason]),
      '',
      `Answer with \`POST /v1/sessions/${session}/approvals/${id}\` and \`{"decision":"allow"}\` or \`"deny"\`.`,
    ].join('\n'),
  );
}
