import { sql } from 'kysely';
import { eventId } from '@everturn/core/domain';
import type { AuthoredEvent, SeqRange, StreamChunk } from '@everturn/core/domain';
import type { HeldClaim } from './begin-effect.ts';
import type { StoredAck } from './commit.ts';
import { encodeEvent } from './encode-event.ts';
import { asProjectionError } from './errors.ts';
import type { Projection } from './projection.ts';

/** Some chunks of one model call, on their way to be rows. */
export interface ChunkPart {
  target: { held: HeldClaim; turn: number; step: number };
  /** Place of the first of them among all chunks of the call. */
  first: number;
  chunks: readonly StreamChunk[];
}
export type AppendVerdict =
  | { kind: 'written'; ranges: SeqRange[] }
  /** Somebody took the claim over, or the log no longer takes this writer; `reason` is for people. */
  | { kind: 'refused'; reason: string };

/** Names chunks by their place in the call, so that writing them again changes nothing. */
export function chunkEvents({ target: { held, turn, step }, first, chunks }: ChunkPart, time: number): AuthoredEvent[] {
  return chunks.map((chunk, offset) => ({
    eid: eventId(`t${turn}.s${step}.chunks`, held.generation, first + offset),
    type: 'assistant/chunk',
    time,
    data: { turn, step, chunk },
  }));
}

interface AppendAnswer {
  id: string;
  acks?: StoredAck[];
  code?: string;
  message?: string;
}

/** Writes chunk rows of many calls in one transaction and tells readers; answers in the order of the parts. Throws when the database is away. */
export async function appendChunks(projection: Projection, parts: readonly ChunkPart[]): Promise<AppendVerdict[]> {
  const time = Date.now();
  const entries = parts.map((part, index) => ({
    id: String(index),
    tenant: part.target.held.tenant,
    session: part.target.held.session,
    generation: part.target.held.generation,
    key: part.target.held.claim,
    epoch: part.target.held.epoch,
    events: chunkEvents(part, time).map(encodeEvent),
  }));
  const answers = await asProjectionError(async () => {
    const statement = sql<{ answers: AppendAnswer[] }>`
      call append_chunks_and_tell(${projection.owner}, ${JSON.stringify(entries)}, null)`;
    return (await statement.execute(projection.database)).rows[0]?.answers ?? [];
  });
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  return parts.map((_part, index) => toVerdict(byId.get(String(index))));
}

function toVerdict(answer: AppendAnswer | undefined): AppendVerdict {
  if (!answer?.acks) return { kind: 'refused', reason: answer?.message ?? 'the database did not mention it' };
  const ranges: SeqRange[] = [];
  for (const [, seq] of answer.acks) {
    const last = ranges.at(-1);
    if (last && seq === last.to + 1) last.to = seq;
    else ranges.push({ from: seq, to: seq });
  }
  return { kind: 'written', ranges };
}
