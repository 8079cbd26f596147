import { isBusy } from '../session-queue.ts';
import { failed, succeeded, type SessionCommand } from './command.ts';

/** `/compact`. */
export const compact: SessionCommand = {
  name: 'compact',
  run(session, { requestId }) {
    if (isBusy(session)) return failed('a turn runs or waits; a history is shortened between turns');
    session.compaction = requestId;
    return succeeded('the history is being shortened');
  },
};
