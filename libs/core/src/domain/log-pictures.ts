import type { ImageBlock } from './content.ts';
import type { SessionEvent } from './events.ts';

/** Pictures that events refer to and that are kept beside the log, with the first event that does. */
export function attachmentsOf(events: readonly SessionEvent[]): Map<string, number> {
  const found = new Map<string, number>();
  const look = (value: unknown, seq: number): void => {
    if (Array.isArray(value)) for (const each of value) look(each, seq);
    else if (typeof value === 'object' && value !== null) {
      const id = pictureIn(value);
      if (id !== undefined && !found.has(id)) found.set(id, seq);
      for (const each of Object.values(value)) look(each, seq);
    }
  };
  for (const { data, seq, type } of events) if (type !== 'assistant/chunk') look(data, seq);
  return found;
}

/** The same events with these pictures in the place of those of the given ids. */
export function withPictures(
  events: readonly SessionEvent[],
  pictures: ReadonlyMap<string, ImageBlock>,
): SessionEvent[] {
  const swapped = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(swapped);
    if (typeof value !== 'object' || value === null) return value;
    const picture = pictures.get(pictureIn(value) ?? '');
    if (picture) return { ...value, ...picture };
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, swapped(each)]));
  };
  const shows = (event: SessionEvent) => [...attachmentsOf([event]).keys()].some((id) => pictures.has(id));
  return events.map((event) => (shows(event) ? ({ ...event, data: swapped(event.data) } as SessionEvent) : event));
}

/** The id of the picture that a value refers to, if it is such a reference. */
function pictureIn(value: object): string | undefined {
  const { type, attachmentId } = value as { type?: unknown; attachmentId?: unknown };
  return type === 'image' && typeof attachmentId === 'string' ? attachmentId : undefined;
}
