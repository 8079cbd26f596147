import { join } from 'node:path';
import type { ScriptAnswer } from '@everturn/core/providers';
import { NEEDS_APPROVAL } from './counting-plugin.ts';
import type { AnswerPlan, CallPlan, SessionPlan } from './plan-session.ts';

type ScriptedCall = NonNullable<ScriptAnswer['toolCalls']>[number];

/** A call that was put to a session, by the id the model gave it. */
export type CallsById = Map<string, CallPlan>;

export interface PlayModelInput {
  plan: SessionPlan;
  /** Folder in which each call's file counts its runs. */
  runs: string;
  calls: CallsById;
}

/** The model of one session: answers its requests in the order of the plan and notes the calls it made. */
export function playModel({ plan, runs, calls }: PlayModelInput): () => ScriptAnswer {
  let asked = 0;
  return () => {
    const request = asked;
    asked += 1;
    const answer = plan.answers[request];
    if (!answer) return { text: 'done' };
    const toolCalls = answer.calls.map((call, index) => {
      const id = `r${request}.c${index}`;
      calls.set(id, call);
      return { id, ...written(call, join(runs, `${plan.name}.${id}`)) };
    });
    return { ...spoken(answer), ...(toolCalls.length > 0 && { toolCalls }) };
  };
}

function spoken({ words, paceMs, fault }: AnswerPlan): ScriptAnswer {
  return {
    text: Array.from({ length: words }, (_, n) => `wörd${n} `),
    ...(paceMs > 0 && { chunkDelayMs: paceMs }),
    ...(fault === 'no-finish' && { finish: 'none' }),
    ...(fault === 'no-usage' && { usage: 'none' as const }),
    ...(typeof fault === 'object' && { fault }),
  };
}

function written(call: CallPlan, file: string): ScriptedCall {
  const name = call.tool;
  const args = argumentsOf(call, file);
  return { name, arguments: call.arguments === 'half' ? JSON.stringify(args).slice(0, -3) : args };
}

function argumentsOf({ tool, workMs, approval }: CallPlan, file: string): Exclude<ScriptedCall['arguments'], string> {
  const asks = approval !== 'none';
  switch (tool) {
    case 'bash':
      return {
        command: `echo run >> '${file}'; sleep ${workMs / 1000}; echo counted${asks ? ` # ${NEEDS_APPROVAL}` : ''}`,
        description: 'Count a run',
      };
    case 'todo_write':
      return { todos: [{ content: 'survive', status: 'in_progress' }] };
    default:
      return { file, workMs, ...(asks && { note: NEEDS_APPROVAL }) };
  }
}
