import type { Script } from '../script.ts';

/** Answers with what the user said. */
export const echo: Script = (request) => ({ text: request.lastUser || 'You said nothing.' });
