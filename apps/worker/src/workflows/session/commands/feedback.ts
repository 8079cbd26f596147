import { failed, succeeded, type SessionCommand } from './command.ts';

/** `/feedback <text>`. */
export const feedback: SessionCommand = {
  name: 'feedback',
  run(_session, { input }) {
    const text = input.trim();
    if (text === '') return failed('say what you think: /feedback <text>');
    return succeeded('recorded', [{ type: 'feedback/record', data: { text } }]);
  },
};
