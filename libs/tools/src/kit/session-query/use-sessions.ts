import { isToolError, ToolError } from '../tool-error.ts';
import type { SessionQueryPort } from '../session-query-port.ts';
import type { ToolRunContext } from '../tool-context.ts';

/** Asks about sessions; whatever else goes wrong than what the caller can mend is told without its details. */
export async function useSessions<T>(
  context: ToolRunContext,
  ask: (sessions: SessionQueryPort) => Promise<T>,
): Promise<T> {
  const { sessions } = context;
  if (!sessions)
    throw new ToolError('SESSION_QUERY_TOOL_MISSING_AGENT', 'sessions are asked about on behalf of a session');
  try {
    return await ask(sessions);
  } catch (error) {
    if (isToolError(error)) throw error;
    throw new ToolError('SESSION_QUERY_TOOL_FAILED', 'the sessions could not be asked; try again', { cause: error });
  }
}

/** A moment of an argument in epoch ms; throws `INVALID_ARGS` for one without an offset. */
export function instantOf(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const time = /(?:Z|[+-]\d\d:?\d\d)$/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time))
    throw new ToolError('INVALID_ARGS', `invalid arguments: "${name}" must be a time with Z or an offset`);
  return time;
}

/** Refuses lists that match nothing. */
export function refuseEmpty(lists: Record<string, readonly unknown[] | undefined>): void {
  for (const [name, list] of Object.entries(lists))
    if (list?.length === 0) throw new ToolError('INVALID_ARGS', `invalid arguments: "${name}" is empty; leave it out`);
}

/** Leaves out what is not there. */
export function given<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
