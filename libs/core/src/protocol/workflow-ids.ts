import type { JobId, SessionId } from '../domain/index.ts';

/** The workflow that is a session. */
export const sessionWorkflowId = (session: SessionId): string => `session:${session}`;
/** The workflow that is one turn of a session. */
export const turnWorkflowId = (session: SessionId, turn: number): string => `session:${session}/turn:${turn}`;
/** The workflow that is one step of a turn. */
export const stepWorkflowId = (session: SessionId, turn: number, step: number): string =>
  `session:${session}/turn:${turn}/step:${step}`;
/** The workflow that is one background job of a session. */
export const jobWorkflowId = (session: SessionId, job: JobId): string => `session:${session}/job:${job}`;
/** The workflow that runs one upkeep job. */
export const maintenanceWorkflowId = (job: string): string => `maintenance:${job}`;

export interface WorkflowAddress {
  session: SessionId;
  turn?: number;
  step?: number;
  job?: JobId;
}

/** The inverse of the ids above; `undefined` for an id of another kind. */
export function parseWorkflowId(id: string): WorkflowAddress | undefined {
  const match = /^session:([A-Za-z0-9._-]{1,128})(?:\/turn:(\d+)(?:\/step:(\d+))?|\/job:([a-z-]+\d+))?$/.exec(id);
  if (!match) return undefined;
  return {
    session: match[1] as SessionId,
    ...(match[2] === undefined ? {} : { turn: Number(match[2]) }),
    ...(match[3] === undefined ? {} : { step: Number(match[3]) }),
    ...(match[4] === undefined ? {} : { job: match[4] as JobId }),
  };
}
