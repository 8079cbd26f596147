import { patched } from '@temporalio/workflow';
import { countRepeat, parseArguments, text, type HookContext, type JsonValue } from '@everturn/core/domain';
import type { RequestedCall } from '../../contract/index.ts';
import type { StepState } from './step-state.ts';

/** Counts a call, whatever came of it, and tells the agent when it makes the same one again and again. */
export function remindOfRepeats(step: StepState, call: RequestedCall): HookContext[] {
  const settings = step.assembly.repeatReminder ?? step.assembly.settings?.repeatReminder;
  if (!settings) return []; // assembled before there were reminders
  const { name } = call;
  // Long arguments travel by reference, which is as equal as they are.
  const args: JsonValue = typeof call.arguments === 'string' ? parseArguments(call.arguments) : { ...call.arguments };
  const { repeats, reminder } = countRepeat(step.repeats, { name, arguments: args }, settings);
  if (repeats) step.repeats = repeats;
  if (reminder === undefined || !patched('repeat-reminder')) return [];
  return [{ content: [text(reminder)], source: { kind: 'plugin', plugin: 'repeat-reminder', form: 'notice' } }];
}
