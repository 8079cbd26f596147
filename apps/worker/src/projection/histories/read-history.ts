import type { LoadedDataConverter, Payload } from '@temporalio/common';
import { ExternalStorageRunner } from '@temporalio/common/lib/internal-non-workflow/index.js';
import type { temporal } from '@temporalio/proto';
import type { InjectContext, SubmitPrompt } from '@everturn/core/protocol';
import type { HistoryFacts } from './history-facts.ts';

export type History = temporal.api.history.v1.IHistory;
type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

export interface ReadHistoryInput {
  history: History;
  facts: HistoryFacts;
  converter: LoadedDataConverter;
}

/** Reads one run's history: what its activities carried and answered, and what the session was sent. */
export async function readHistory({ history, facts, converter }: ReadHistoryInput): Promise<void> {
  const scheduled = new Map<string, { activity: string; argument: unknown }>();
  const decode = (payloads: Payload[] | null | undefined) => decodeFirst(converter, payloads);
  for (const event of history.events ?? []) {
    const schedule = event.activityTaskScheduledEventAttributes;
    if (schedule) {
      const activity = schedule.activityType?.name ?? '';
      const argument = await decode(schedule.input?.payloads);
      scheduled.set(String(event.eventId), { activity, argument });
      facts.takeInput(activity, argument, timeOf(event));
    }
    const completed = event.activityTaskCompletedEventAttributes;
    if (completed) {
      const origin = scheduled.get(String(completed.scheduledEventId));
      facts.takeResult(origin?.activity ?? '', origin?.argument, await decode(completed.result?.payloads), timeOf(event));
    }
    const message = sentMessage(event);
    if (message?.name === 'submitPrompt') facts.takeSubmittedPrompt((await decode(message.payloads)) as SubmitPrompt);
    if (message?.name === 'inject') facts.takeInjection((await decode(message.payloads)) as InjectContext);
  }
}

const timeOf = ({ eventTime }: HistoryEvent): number =>
  Number(eventTime?.seconds ?? 0) * 1_000 + Math.floor((eventTime?.nanos ?? 0) / 1e6);

function sentMessage(event: HistoryEvent): { name: string; payloads: Payload[] | null | undefined } | undefined {
  const signal = event.workflowExecutionSignaledEventAttributes;
  if (signal) return { name: signal.signalName ?? '', payloads: signal.input?.payloads };
  const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input;
  return update ? { name: update.name ?? '', payloads: update.args?.payloads } : undefined;
}

/** The first of the values: everything of ours takes and answers one. */
async function decodeFirst(
  { payloadConverter, payloadCodecs, externalStorage }: LoadedDataConverter,
  payloads: Payload[] | null | undefined,
): Promise<unknown> {
  let decoded = payloads?.slice(0, 1) ?? [];
  if (externalStorage) decoded = await new ExternalStorageRunner(externalStorage).retrieve(decoded);
  for (const codec of payloadCodecs.toReversed()) decoded = await codec.decode(decoded);
  return decoded[0] === undefined ? undefined : payloadConverter.fromPayload(decoded[0]);
}
