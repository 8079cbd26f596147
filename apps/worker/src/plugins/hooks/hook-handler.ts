import {
  HookEventName,
  hookMatcher,
  type HookDialect,
  type HookMatcher,
  type HookVerdict,
  type SessionId,
} from '@everturn/core/domain';
import type { HookSettings } from './hook-settings.ts';

/** One run of a hook, as its claim keeps it. */
export interface HookAnswer {
  verdict: HookVerdict;
  durationMs: number;
  exitCode?: number;
  /** What it complained, or why it could not be asked. */
  said?: string;
  /** It counts as a listener that threw. */
  failure?: string;
}

/** What a hook is run with. */
export interface HookCallInput {
  event: HookEventName;
  payload: object;
  session: SessionId;
  /** Absolute. */
  cwd: string;
  /** Names this run of this hook, however often it is asked for. */
  handlerId: string;
  signal: AbortSignal;
}

/** An external hook of one event. */
export interface HookHandler {
  id: string;
  dialect: HookDialect;
  event: HookEventName;
  matcher?: string;
  matches: HookMatcher;
  timeoutMs: number;
  home: 'host' | 'any';
  run(input: HookCallInput): Promise<HookAnswer>;
  /** What is known of a run whose worker was lost. */
  lost: HookAnswer | 'run-again';
}

/** How hooks of each kind are run. */
export interface HookRunners {
  command(hook: HookSettings['commands'][number], input: HookCallInput): Promise<HookAnswer>;
  http(hook: HookSettings['http'][number], input: HookCallInput): Promise<HookAnswer>;
}

const LOST: HookAnswer = { verdict: { decision: 'pass' }, durationMs: 0, said: 'its worker was lost while it ran' };

/** The handlers of a configuration, in its order. A dialect with a matcher that is no expression has none. */
export function hookHandlers(settings: HookSettings, runners: HookRunners, warn: (why: string) => void): HookHandler[] {
  const named = settings.commands.flatMap((hook) => {
    const { success, data: event } = HookEventName.safeParse(hook.event);
    return success ? [{ ...hook, event }] : [];
  });
  const commands = (['claude', 'codex'] as const).flatMap((dialect) =>
    usable(
      dialect,
      () =>
        named
          .filter((hook) => hook.dialect === dialect)
          .map((hook): HookHandler => ({
            ...described(dialect, hook.event, hook),
            home: 'host',
            run: (input) => runners.command(hook, input),
            lost: LOST,
          })),
      warn,
    ),
  );
  const asked = settings.http.flatMap((hook) =>
    hook.events.map((event): HookHandler => ({
      ...described('http', HookEventName.parse(event), hook),
      home: 'any',
      run: (input) => runners.http(hook, input),
      lost: 'run-again',
    })),
  );
  return [...commands, ...asked];
}

function described(
  dialect: HookDialect,
  event: HookEventName,
  hook: { position: string; matcher?: string; timeoutMs: number },
) {
  const { position, matcher, timeoutMs } = hook;
  const matches = hookMatcher(dialect, matcher);
  return { id: `${dialect}.${event}.${position}`, dialect, event, matches, timeoutMs, ...(matcher && { matcher }) };
}

function usable(dialect: HookDialect, make: () => HookHandler[], warn: (why: string) => void): HookHandler[] {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    warn(`no hook of ${dialect} is run, because a matcher is no regular expression: ${error.message}`);
    return [];
  }
}
