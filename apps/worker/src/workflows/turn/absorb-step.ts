import { roundedUsd, type TokenUsage } from '@everturn/core/domain';
import type { UsageTotals } from '@everturn/core/protocol';
import type { Assembly, StepResult } from '../../contract/index.ts';
import { endPlan } from './turn-knobs.ts';
import { giveTitle } from './title-session.ts';
import { rememberStep } from './turn-details.ts';
import type { TurnState } from './turn-state.ts';

/** Takes over what a step that began with an assembly wrote, spent and learned. */
export function absorbStep(turn: TurnState, result: StepResult, before: Assembly): void {
  const assembly = result.assembly ?? before;
  turn.writer.acknowledge(result.acks);
  turn.writer.takeOver(result.pending, result.rows, result.highestAcknowledged);
  turn.writer.log.observe({ type: 'step/start', turn: turn.input.turn, step: turn.step });
  giveTitle(turn);
  turn.assembly = assembly;
  turn.registry = result.registry;
  turn.preview = result.preview || turn.preview;
  rememberStep(turn, result.did ?? result.preview);
  turn.usage = { ...addUsage(turn.usage, result.usage), steps: turn.usage.steps + 1 };
  turn.writer.change({ usage: turn.usage, model: assembly.config.model });
  delete turn.room;
  if (result.room !== undefined) turn.room = { tokens: result.room, written: turn.writer.tokens };
  if (result.plan) endPlan(turn);
  if (result.repeats) turn.instance = { ...turn.instance, repeats: result.repeats };
  if (result.headerLogged) {
    const { digest, config } = assembly;
    turn.instance = { ...turn.instance, header: { digest, config }, logHadHeader: true };
  }
}

/** The totals with what a model call cost. */
export function addUsage(totals: UsageTotals, usage: TokenUsage | undefined): UsageTotals {
  return {
    ...totals,
    inputTokens: totals.inputTokens + (usage?.inputTokens ?? 0),
    outputTokens: totals.outputTokens + (usage?.outputTokens ?? 0),
    cacheReadTokens: totals.cacheReadTokens + (usage?.cacheReadTokens ?? 0),
    cacheWriteTokens: totals.cacheWriteTokens + (usage?.cacheWriteTokens ?? 0),
    reasoningTokens: totals.reasoningTokens + (usage?.reasoningTokens ?? 0),
    ...(usage?.costUsd !== undefined && { costUsd: roundedUsd((totals.costUsd ?? 0) + usage.costUsd) }),
  };
}
