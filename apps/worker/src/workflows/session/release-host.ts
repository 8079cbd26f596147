import { ActivityFailure } from '@temporalio/common';
import { patched } from '@temporalio/workflow';
import { boundHost, releaseSession } from '../proxies.ts';
import { sessionRef, type SessionState } from './session-state.ts';

/** Ends what the session holds on its machine, where there is one; best effort, for all of it ends with that worker anyway. */
export async function releaseHost(session: SessionState): Promise<void> {
  if (!patched('release-session')) return;
  const ref = sessionRef(session);
  const { host } = await boundHost(ref);
  if (host === null) return;
  try {
    await releaseSession(ref, host);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
  }
}
