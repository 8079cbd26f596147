import type { ToolSettings, WaitReason } from '../../kit/index.ts';
import { canSeeReaders } from './blocked-reader.ts';
import type { Foreground } from './foreground.ts';
import type { TerminalScreen } from './terminal-screen.ts';

export interface WaitForReadinessInput {
  screen: TerminalScreen;
  foreground: Foreground;
  settings: ToolSettings['terminal'];
  /** How many prompts there had been before the write; an earlier one says nothing about it. */
  prompts: number;
  signal?: AbortSignal;
  timeoutMs: number;
}

/**
 * Waits until whatever got the input wants more: somebody sleeps in a read of the terminal, and at a second look it is
 * the same sleep with nothing printed since, for input may still be on its way. A prompt alone says nothing: it may be
 * the one before what was typed ahead.
 */
export async function waitForReadiness(input: WaitForReadinessInput): Promise<WaitReason | 'aborted'> {
  const { screen, foreground, settings, signal } = input;
  const begun = performance.now();
  let seen: { reader: string; end: number } | undefined;
  for (;;) {
    if (screen.exit) return 'session_exit';
    if (signal?.aborted) return 'aborted';
    const now = performance.now();
    if (now - begun >= input.timeoutMs) return 'timeout';
    if (screen.closing) {
      await screen.changed(settings.pollMs);
      continue;
    }
    const quietMs = now - Math.max(begun, screen.printedAt);
    const prompted = screen.prompt.count > input.prompts && screen.isAtPrompt;
    const { end } = screen;
    if (prompted || now - begun >= settings.probeAfterMs) {
      const reader = await foreground.reader();
      if (reader !== undefined && screen.end === end) {
        if (seen?.reader === reader && seen.end === end) return 'stdin_read';
        seen = { reader, end };
      } else seen = undefined;
    }
    // Where readers cannot be seen, a prompt that stays the last word is as good.
    if (prompted && !canSeeReaders && quietMs >= settings.handoffMs) return 'stdin_read';
    if (quietMs >= settings.idleMs) return 'inferred_idle';
    await changedOrRaised(screen, settings.pollMs, signal);
  }
}

async function changedOrRaised(screen: TerminalScreen, ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return screen.changed(ms);
  const { promise, resolve } = Promise.withResolvers<void>();
  const raised = () => resolve();
  signal.addEventListener('abort', raised, { once: true });
  await Promise.race([screen.changed(ms), promise]);
  signal.removeEventListener('abort', raised);
}
