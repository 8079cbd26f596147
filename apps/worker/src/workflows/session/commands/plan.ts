import { applyKnobs } from '../session-knobs.ts';
import { succeeded, type SessionCommand } from './command.ts';

/** `/plan`, `/plan off`, `/plan <message>`; who sent it sends the message, too. */
export const plan: SessionCommand = {
  name: 'plan',
  run(session, { requestId, input }) {
    const active = input.trim().toLowerCase() !== 'off';
    const { result, facts } = applyKnobs(session, { requestId, change: { plan: active } });
    const state = active ? 'on' : 'off';
    switch (result) {
      case 'noop':
        return succeeded(`plan mode is ${state} already`);
      case 'queued':
        return succeeded(`plan mode ${state} from the next step on`);
      default:
        return succeeded(`plan mode ${state}`, facts);
    }
  },
};
