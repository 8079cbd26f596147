import type { ChildrenPort, Wish } from './children-port.ts';
import type { OrchestrationContext } from './orchestrate-tool.ts';
import { ToolError } from './tool-error.ts';

/** The optional set that lets agents stay with the one that started them, and be written to. */
export const AGENTS_TOOLSET = 'subagents';

/** The port, where the call's session has one. */
export function requireChildren({ children }: Pick<OrchestrationContext, 'children'>): ChildrenPort {
  if (!children) throw new Error('no agent calls, so none can work for it');
  return children;
}

/** What was done; throws the refusal of a wish that was not granted. */
export function granted<T>(wish: Wish<T>): T {
  if (wish.kind === 'refused') throw wish.code ? new ToolError(wish.code, wish.message) : new Error(wish.message);
  return wish;
}

/** A text that says something; throws naming the argument. */
export function requireText(name: string, value: string): string {
  if (value.trim() === '') throw new Error(`invalid ${name}: expected a non-empty string`);
  return value;
}
