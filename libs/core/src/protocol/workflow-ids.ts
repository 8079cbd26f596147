import type { JobId, ReminderId, SessionId } from '../domain/index.ts';

/** The workflow that is a session. */
export const sessionWorkflowId = (session: SessionId): string => `session:${session}`;
/** The workflow that is one turn of a session. */
export const turnWorkflowId = (session: SessionId, turn: number): string => `session:${session}/turn:${turn}`;
/** The workflow that is one step of a turn. */
export const stepWorkflowId = (session: SessionId, turn: number, step: number): string =>
  `session:${session}/turn:${turn}/step:${step}`;
/** The workflow that is one background job of a session. */
export const jobWorkflowId = (session: SessionId, job: JobId): string => `session:${session}/job:${job}`;
/** The workflow that runs the program of one call; `place` is the call's index, of a program's call `0.3`. */
export const programWorkflowId = (session: SessionId, turn: number, step: number, place: string): string =>
  `session:${session}/program:t${turn}.s${step}.c${place}`;
/** The workflow that runs the loop of one call, named as above. */
export const ralphWorkflowId = (session: SessionId, turn: number, step: number, place: string): string =>
  `session:${session}/ralph:t${turn}.s${step}.c${place}`;
/** The workflow that is the clock of one reminder of a session. */
export const reminderWorkflowId = (session: SessionId, reminder: ReminderId): string =>
  `session:${session}/reminder:${reminder}`;
/** The workflow that runs one upkeep job. */
export const maintenanceWorkflowId = (job: string): string => `maintenance:${job}`;

export interface WorkflowAddress {
  session: SessionId;
  turn?: number;
  step?: number;
  job?: JobId;
  /** The call whose program it runs. */
  program?: string;
  /** The call whose loop it runs. */
  ralph?: string;
}

/** The inverse of the ids above; `undefined` for an id of another kind. */
export function parseWorkflowId(id: string): WorkflowAddress | undefined {
  const match =
    /^session:([A-Za-z0-9._-]{1,128})(?:\/turn:(\d+)(?:\/step:(\d+))?|\/program:t(\d+)\.s(\d+)\.c(\d+(?:\.\d+)?)|\/job:([a-z-]+\d+)|\/ralph:t(\d+)\.s(\d+)\.c(\d+(?:\.\d+)?))?$/.exec(
      id,
    );
  if (!match) return undefined;
  const [, session, turn = match[4] ?? match[8], step = match[5] ?? match[9], , , program, job, , , ralph] = match;
  return {
    session: session as SessionId,
    ...(turn !== undefined && { turn: Number(turn) }),
    ...(step !== undefined && { step: Number(step) }),
    ...(program !== undefined && { program }),
    ...(job !== undefined && { job: job as JobId }),
    ...(ralph !== undefined && { ralph }),
  };
}
