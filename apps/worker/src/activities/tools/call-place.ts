import type { RunToolInput } from '../../contract/index.ts';

/** Which call a body runs for, where it works, and what it may do. */
export type CallPlace = Pick<
  RunToolInput,
  'tenant' | 'session' | 'turn' | 'step' | 'call' | 'parent' | 'cwd' | 'sandbox' | 'shell'
>;
