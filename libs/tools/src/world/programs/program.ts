import type { ProgramEnd } from '../../kit/index.ts';

/** A function outside that a program may call; a call suspends it until it is answered. */
export interface HostFunction {
  /** The global object it is a member of; absent: it is a global itself. */
  object?: string;
  name: string;
}

/** A program written by a model, and all it may see: without a clock, a file or a socket it always runs the same way. */
export interface Program {
  /** The body of an async function. */
  code: string;
  /** `typescript`: types are erased; what erasing does not mend is refused. */
  language: 'typescript' | 'javascript';
  functions: readonly HostFunction[];
  /** Source of a function that defines further globals before the program begins, see `PreludeApi`. */
  prelude?: string;
  /** What `Math.random` begins with; any integer. */
  seed: number;
  /** Where the program's clock stands still, in epoch ms. */
  now: number;
  limits: ProgramLimits;
  /** How the program is called in what it is told: `run_code`. */
  name: string;
}

export interface ProgramLimits {
  memoryBytes: number;
  /** Of one slice, roughly; far beyond what its time allows, so that a slow machine ends it no sooner than a fast one. */
  instructions: number;
  /** UTF-8 bytes of what it prints and returns, together. */
  outputBytes: number;
  /** Calls it may make in all. */
  calls: number;
  /** Calls that may wait for their answer at once. */
  pendingCalls: number;
}

/** A call the program made; numbered from 1 in the order it made them. */
export interface IssuedCall {
  n: number;
  /** Of the host function. */
  name: string;
  /** JSON text of its argument. */
  arguments: string;
}

/** What a call is answered with. */
export type CallAnswer = { n: number } & (
  | { kind: 'value'; /** JSON text. */ json: string }
  | { kind: 'error'; message: string }
);

/** Where a program stands once it can go on no further by itself. */
export type ProgramState = { kind: 'waiting' } | { kind: 'ended'; end: ProgramEnd };
