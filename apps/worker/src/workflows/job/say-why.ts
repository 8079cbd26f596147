import { characterCut } from '@everturn/core/domain';
import type { JobEnd } from '@everturn/tools/kit';

/** Why a session that closes ends its jobs. */
export const OWNER_DISPOSED = 'owner disposed';
const LONGEST_BYTES = 500;

/** What the record of a job that was told to end says: an agent why, a process how, but for one whose session closed. */
export function sayWhy(end: JobEnd, { kind, reason }: { kind: string; reason: string | undefined }): JobEnd {
  if (end.state !== 'killed' || !reason) return end;
  return kind === 'subagent' || reason === OWNER_DISPOSED
    ? { ...end, detail: characterCut(reason, LONGEST_BYTES) }
    : end;
}
