import type { SessionEvent } from '@everturn/core/domain';

type Heard = Record<string, unknown> & { kind: string };

/** What the hearing plugin told a session that it had heard of it, without whose it is; nothing yet = `undefined`. */
export const heardIn = (events: readonly SessionEvent[]): Heard[] | undefined =>
  events.flatMap((event) =>
    event.type === 'context/message' && event.data.source.kind === 'plugin' && event.data.source.plugin === 'hearing'
      ? event.data.content.map((block) => (block.type === 'text' ? (JSON.parse(block.text) as Heard[]).map(bare) : []))
      : [],
  )[0];

function bare({ tenant: _tenant, session: _session, ...rest }: Heard): Heard {
  return rest as Heard;
}
