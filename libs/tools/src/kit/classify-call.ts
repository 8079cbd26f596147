import { parseArguments } from '@everturn/core/domain';
import { checkArguments, type Concurrency, type ToolDefinition } from './define-tool.ts';
import type { OrchestratedEvent } from './orchestrate-tool.ts';

/**
 * Whether a call may overlap with its neighbours. Only a classifier that answers `parallel` for valid
 * arguments says so; no classifier, a throw, bad arguments and unknown tools mean `exclusive`.
 */
export function classifyCall(definition: ToolDefinition | undefined, rawArguments: string): Concurrency {
  if (!definition?.concurrency) return 'exclusive';
  try {
    const args = checkArguments(definition, parseArguments(rawArguments));
    return definition.concurrency(args) === 'parallel' ? 'parallel' : 'exclusive';
  } catch {
    return 'exclusive';
  }
}

/** Whether a call asks to run in the background; only arguments that are valid can ask. */
export function asksForBackground(definition: ToolDefinition | undefined, rawArguments: string): boolean {
  if (!definition?.background) return false;
  try {
    const args = checkArguments(definition, parseArguments(rawArguments)) as Record<string, unknown>;
    return args[definition.background.argument] === true;
  } catch {
    return false;
  }
}

/** What the log is to have of a call before it is dispatched; of one that cannot run, nothing. */
export function announcementsOf(
  definition: ToolDefinition | undefined,
  rawArguments: string,
): readonly OrchestratedEvent[] {
  if (!definition?.announce) return [];
  try {
    return definition.announce(checkArguments(definition, parseArguments(rawArguments)));
  } catch {
    return [];
  }
}
