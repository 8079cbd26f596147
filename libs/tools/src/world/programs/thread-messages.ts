import type { CallAnswer, IssuedCall, Program, ProgramState } from './program.ts';

/** What a thread is told; each is answered by one `state`. */
export type ToThread =
  | { type: 'open'; program: Program }
  | { type: 'answer'; answers: readonly CallAnswer[] }
  | { type: 'close' };

/** What a thread tells: `log` and `call` as they happen, `state` when the program can go on no further. */
export type FromThread =
  | { type: 'log'; text: string }
  | { type: 'call'; call: IssuedCall }
  | { type: 'state'; state: ProgramState }
  | { type: 'closed'; heldBytes: number };
