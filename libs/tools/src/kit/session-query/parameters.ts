/** The session asked about. */
export const SESSION_ID = {
  type: 'string',
  description: 'The id of a session that works in the same folder; left out: this session.',
} as const;

/** An event's number. */
export const SEQ = { type: 'integer', description: 'The number of the event in its session, from 0.' } as const;

/** Types of events. */
export const EVENT_TYPES = {
  type: 'array',
  items: { type: 'string' },
  description: 'Only events of these types, such as `user/message` or `tool/result`; left out: all types. Not empty.',
} as const;

/** How events stand. */
export const SURFACES = {
  type: 'array',
  items: { type: 'string', enum: ['current', 'shadowed', 'log-only'] },
  description:
    'Only events that stand so: `current` is in the conversation now, `shadowed` was replaced by a summary or a shorter copy, `log-only` never was in it. Left out: all. Not empty.',
} as const;

/** What is looked for. */
export const QUERY = {
  type: 'string',
  description:
    'Words that stand beside each other, in capital or small letters, with whatever characters between them. It is taken literally: there are no operators.',
} as const;

/** A bound in time. */
export const time = (what: string) =>
  ({
    type: 'string',
    description: `${what}, as an RFC 3339 time with Z or an offset, such as 2026-03-01T00:00:00Z; left out: no bound.`,
  }) as const;

/** A bound by number. */
export const seqBound = (what: string) => ({ type: 'integer', description: `${what}; left out: no bound.` }) as const;
