import {
  humanTranscript,
  parseArguments,
  type SessionEvent,
  type SessionEventOf,
  type SurfaceEvent,
} from '@everturn/core/domain';
import { findTool, type ToolView } from '@everturn/tools/catalog';

/** One entry of the transcript: an event as it was appended, and how displays show the calls it is about. */
export interface TranscriptEntry {
  event: SurfaceEvent;
  /** By call id: on an answer how each of its calls looks, on a result how that result looks. */
  views?: Record<string, ToolView>;
}

/**
 * What people see of a stretch of a log: what was appended, in order, also what a compaction hides from the model.
 * `events` hold the `tool/call` of each `tool/result`; views that a tool does not offer are left out.
 */
export function transcriptEntries(events: readonly SessionEvent[]): TranscriptEntry[] {
  const calls = new Map<number, SessionEventOf<'tool/call'>>();
  for (const event of events) if (event.type === 'tool/call') calls.set(event.seq, event);
  return humanTranscript(events).map((event) => {
    const views = viewsOf(event, calls);
    return Object.keys(views).length > 0 ? { event, views } : { event };
  });
}

function viewsOf(
  event: SurfaceEvent,
  calls: ReadonlyMap<number, SessionEventOf<'tool/call'>>,
): Record<string, ToolView> {
  switch (event.type) {
    case 'assistant/message': {
      const blocks = event.data.content.flatMap((block) => (block.type === 'tool-call' ? [block] : []));
      return record(
        blocks.map(({ id, name, arguments: raw }) => [id, findTool(name)?.presentCall?.(parseArguments(raw))]),
      );
    }
    case 'tool/result': {
      const call = calls.get(event.sourceEventSeqs?.[0] ?? -1);
      if (!call) return {};
      const present = findTool(call.data.name)?.presentResult;
      return record([[event.data.callId, present?.(parseArguments(call.data.arguments), event.data)]]);
    }
    default:
      return {};
  }
}

function record(pairs: [string, ToolView | undefined][]): Record<string, ToolView> {
  // A model chooses its call ids, and may choose one that means something to objects.
  const views = Object.create(null) as Record<string, ToolView>;
  for (const [id, view] of pairs) if (view) views[id] = view;
  return views;
}
