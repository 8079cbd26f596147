/** `fail`: nothing works without it; `warn`: something does not; `info`: good to know. */
export type FindingState = 'ok' | 'info' | 'warn' | 'fail';

/** One thing the doctor looked at. Texts hold no secret. */
export interface Finding {
  name: string;
  state: FindingState;
  detail: string;
  /** What to do; present where something is wrong. */
  remedy?: string;
}

/** Looks at one thing; a throw counts as a failure of that thing. */
export type Check = () => Promise<Finding[]>;

export const ok = (name: string, detail: string): Finding => ({ name, state: 'ok', detail });
export const info = (name: string, detail: string): Finding => ({ name, state: 'info', detail });
export const warn = (name: string, detail: string, remedy: string): Finding => ({
  name,
  state: 'warn',
  detail,
  remedy,
});
export const fail = (name: string, detail: string, remedy: string): Finding => ({
  name,
  state: 'fail',
  detail,
  remedy,
});
