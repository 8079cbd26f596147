import { z } from 'zod';
import type { HookDecision, HookDialect } from './hook-events.ts';

/** What hooks are told of, by the names their configuration uses. */
export const HookEventName = z.enum([
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'Stop',
  'SubagentStart',
  'SubagentStop',
]);
export type HookEventName = z.infer<typeof HookEventName>;

/** How a hook's program ended. */
export type HookRun =
  | { kind: 'exited'; exitCode: number; stdout: string; stderr: string }
  /** It did not start, was ended for its time, or nobody knows how it ended. */
  | { kind: 'failed'; why: string };

/** What one hook said. */
export interface HookVerdict {
  decision: HookDecision;
  /** Why, where it objects. */
  reason?: string;
  /** What it has for the model. */
  context?: string;
}

export interface HookOutputInput {
  dialect: HookDialect;
  event: HookEventName;
  run: HookRun;
}

/** Exit code of a program that objects; its second stream says why. */
const BLOCKED = 2;

/** Reads what a hook's program left. Nothing it may have written makes this throw. */
export function readHookOutput({ dialect, event, run }: HookOutputInput): HookVerdict {
  if (run.kind === 'failed') return { decision: 'pass' };
  if (run.exitCode === BLOCKED) return deny(event, run.stderr.trim());
  if (run.exitCode !== 0) return { decision: 'pass' };
  const output = run.stdout.trim();
  if (!output.startsWith('{')) return plain({ dialect, event, output });
  return readHookAnswer({ dialect, event, answer: parse(output) });
}

const loose = z.string().optional().catch(undefined);
const Answer = z.object({
  decision: z.enum(['approve', 'block']).optional().catch(undefined),
  reason: loose,
  continue: z.boolean().optional().catch(undefined),
  hookSpecificOutput: z
    .object({
      hookEventName: loose,
      permissionDecision: z.enum(['allow', 'ask', 'deny']).optional().catch(undefined),
      permissionDecisionReason: loose,
      additionalContext: loose,
    })
    .optional()
    .catch(undefined),
});

/** Reads the JSON a hook answered; members that make no sense count as absent. */
export function readHookAnswer(input: { dialect: HookDialect; event: HookEventName; answer: unknown }): HookVerdict {
  const { dialect, event } = input;
  const parsed = Answer.safeParse(input.answer);
  if (!parsed.success) return { decision: 'pass' };
  const { decision, reason, continue: goesOn, hookSpecificOutput: specific } = parsed.data;
  // What is said of another event, or of none, is not meant for this one.
  const own = specific?.hookEventName === event ? specific : undefined;
  const context = own?.additionalContext?.trim() ? { context: own.additionalContext } : {};
  const permission = event === 'PreToolUse' ? own?.permissionDecision : undefined;
  const said = permission ?? general(decision);
  if (said === 'deny') return { ...deny(event, permission ? own?.permissionDecisionReason : reason), ...context };
  // There a hook can only refuse.
  if (said !== undefined && dialect === 'codex' && event === 'PreToolUse') return { decision: 'pass', ...context };
  if (said === 'ask') {
    const why = own?.permissionDecisionReason?.trim();
    return { decision: 'ask', ...(why && { reason: why }), ...context };
  }
  return { decision: said ?? (goesOn === false ? 'stop' : 'pass'), ...context };
}

const general = (decision: 'approve' | 'block' | undefined): 'allow' | 'deny' | undefined =>
  decision && (decision === 'block' ? 'deny' : 'allow');

function deny(event: HookEventName, reason: string | undefined): HookVerdict {
  return { decision: 'deny', reason: reason?.trim() || `blocked by ${event} hook` };
}

/** Plain text is for the model where the dialect says so. */
function plain({ dialect, event, output }: Omit<HookOutputInput, 'run'> & { output: string }): HookVerdict {
  const told = dialect === 'codex' && (event === 'SessionStart' || event === 'UserPromptSubmit');
  return { decision: 'pass', ...(told && output !== '' && { context: output }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What several hooks say together. */
export interface MergedVerdict {
  decision: 'allow' | 'ask' | 'deny' | 'pass';
  /** The reasons of those that won. */
  reason?: string;
  contexts: string[];
}

const RANKS = ['deny', 'ask', 'allow'] as const;

/** The strictest wins: one refusal outweighs any number of others. */
export function mergeHookVerdicts(verdicts: readonly HookVerdict[]): MergedVerdict {
  const contexts = verdicts.flatMap(({ context }) => (context === undefined ? [] : [context]));
  const decision = RANKS.find((rank) => verdicts.some((verdict) => verdict.decision === rank));
  if (!decision) return { decision: 'pass', contexts };
  const reasons = verdicts.flatMap((verdict) =>
    verdict.decision === decision && verdict.reason !== undefined ? [verdict.reason] : [],
  );
  return { decision, ...(reasons.length > 0 && { reason: reasons.join('\n\n') }), contexts };
}
