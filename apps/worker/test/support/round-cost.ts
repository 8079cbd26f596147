import { sql } from 'kysely';
import { waitFor } from '@everturn/core/testing';
import { cpuTimeMs } from '../../../../infra/bench/measure/cpu-time.ts';
import type { Stack } from './stack.ts';

/** What the worker spends on a round on average, in ms of CPU; how long it takes the clock tells of the machine. */
export interface RoundCost {
  cpuMs: number;
  wallMs: number;
}

const WINDOW = 40;

/** The cost of a round among the first and among the last; rounds are events of a type in one log. */
export async function roundCosts(
  stack: Stack,
  { session, type, rounds }: { session: string; type: string; rounds: number },
): Promise<{ first: RoundCost; last: RoundCost }> {
  const begun = async () => {
    const { rows } = await sql<{ n: string }>`
      select count(*) as n from session_events where session_id = ${session} and type = ${type}`.execute(
      stack.database,
    );
    return Number(rows[0]?.n);
  };
  const at = async (round: number) => {
    const seen = await waitFor(async () => [await begun()].find((count) => count >= round), {
      what: `round ${round} of ${session}`,
      timeoutMs: 800_000,
      everyMs: 50,
    });
    return { round: seen, cpu: cpuTimeMs(stack.worker().pid), wall: Date.now() };
  };
  const between = async (from: number, to: number): Promise<RoundCost> => {
    const [before, after] = [await at(from), await at(to)];
    const count = after.round - before.round;
    return { cpuMs: (after.cpu - before.cpu) / count, wallMs: (after.wall - before.wall) / count };
  };
  const warm = 5;
  return { first: await between(warm, warm + WINDOW), last: await between(rounds - WINDOW, rounds) };
}
