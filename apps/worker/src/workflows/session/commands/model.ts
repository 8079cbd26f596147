import { applyKnobs } from '../session-knobs.ts';
import { failed, succeeded, type SessionCommand } from './command.ts';

/** `/model <model>`; who sent it has found the model among those that are offered. */
export const model: SessionCommand = {
  name: 'model',
  run(session, { requestId, model: choice }) {
    if (!choice) return failed('say which model: /model <provider>/<model>');
    const { result, facts } = applyKnobs(session, { requestId, change: { model: choice } });
    const chosen = `model ${choice.provider}/${choice.model}`;
    return succeeded(result === 'queued' ? `${chosen} from the next step on` : chosen, facts);
  },
};
