import { z } from 'zod';
import { registerEvent } from './event-registry.ts';
import { Ordinal } from './scalars.ts';

/** Whose conventions an external hook follows. */
export const HookDialect = z.enum(['claude', 'codex', 'http']);
export type HookDialect = z.infer<typeof HookDialect>;

/** What a hook said: a decision, `stop` where it asked for the agent's end (which is not honoured), or nothing. */
export const HookDecision = z.enum(['allow', 'ask', 'deny', 'stop', 'pass']);
export type HookDecision = z.infer<typeof HookDecision>;

/** An external hook was run; `handlerId` names this one run of it. */
export interface HookInvoked {
  turn: number;
  /** The interception point. */
  point: string;
  dialect: HookDialect;
  matcher?: string;
  handlerId: string;
}

/** How that run ended. */
export interface HookResult {
  turn: number;
  point: string;
  handlerId: string;
  decision: HookDecision;
  exitCode?: number;
  stderrSummary?: string;
  durationMs: number;
}

declare module './events.ts' {
  interface SessionEventMap {
    'hook/invoked': HookInvoked;
    'hook/result': HookResult;
  }
}

const inTurn = { turn: Ordinal, point: z.string().min(1), handlerId: z.string().min(1) };

registerEvent('hook/invoked', {
  schema: z.strictObject({ ...inTurn, dialect: HookDialect, matcher: z.string().exactOptional() }),
  pair: { opens: 'hook', key: ({ handlerId }) => handlerId },
});
registerEvent('hook/result', {
  schema: z.strictObject({
    ...inTurn,
    decision: HookDecision,
    exitCode: z.int().exactOptional(),
    stderrSummary: z.string().max(501).exactOptional(),
    durationMs: z.int().nonnegative(),
  }),
  pair: { closes: 'hook', key: ({ handlerId }) => handlerId },
});

const SUMMARY_CHARACTERS = 500;

/** The beginning of what a hook complained, as the log keeps it; nothing of nothing. */
export function stderrSummary(text: string): string | undefined {
  const said = text.trim();
  if (said === '') return undefined;
  return said.length <= SUMMARY_CHARACTERS ? said : `${said.slice(0, SUMMARY_CHARACTERS).toWellFormed()}…`;
}
