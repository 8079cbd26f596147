import type { ContentBlock, JsonValue, MaybeRef } from '@everturn/core/domain';
import { boundResult, resultText, type ToolExecutionResult } from '@everturn/tools/kit';
import type { RunToolInput, ToolOutcome } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

/**
 * What a program gets of its call, whole: data where the tool has some, else its text. The log keeps a copy that is
 * bounded as any result; listeners are shown the whole, so with them the copy goes beside it.
 */
export async function forProgram(
  deps: ActivityDeps,
  input: RunToolInput,
  result: ToolExecutionResult,
  travel: <T>(value: T) => Promise<MaybeRef<T>>,
): Promise<Pick<ToolOutcome, 'content' | 'forProgram'>> {
  const logged = await loggedContent(deps, input, result);
  const whole = input.spill === 'after-listeners';
  const content = await travel(whole ? result.content : logged);
  if (result.isError) return { content };
  const value = await travel<JsonValue>(result.value ?? resultText(result));
  return {
    content,
    forProgram: { value, ...(whole && logged !== result.content && { logged: await travel(logged) }) },
  };
}

async function loggedContent(
  deps: ActivityDeps,
  { session, call }: RunToolInput,
  result: ToolExecutionResult,
): Promise<ContentBlock[]> {
  const { maxInlineBytes } = deps.settings;
  if (maxInlineBytes === undefined) return result.content;
  const warn = (message: string, cause: unknown) => deps.log.warn({ err: cause, session }, message);
  const { spill } = deps.ports;
  const bounded = await boundResult({ tool: call.name, result, session, spill, maxInlineBytes, copy: 'log', warn });
  return bounded.content;
}
