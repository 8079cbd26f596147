import { planSession, type SessionPlan } from './plan-session.ts';
import { Random } from './random.ts';

/** What is killed under a wave; it is started again at once. */
export type Victim = 'worker' | 'postgres' | 'api' | 'temporal';

/** One kill -9, due once the wave has written so many events. */
export interface Strike {
  victim: Victim;
  after: number;
}

/** Everything about a wave that is not timing. */
export interface WavePlan {
  seed: number;
  sessions: SessionPlan[];
  strikes: Strike[];
}

/** Sessions that share one stack. */
export const WAVE_SIZE = 20;

/** About how many events a wave writes, chunks left out. */
const EXPECTED_EVENTS = WAVE_SIZE * 40;

/** Draws a wave from its seed: the same seed, the same wave. */
export function planWave(seed: number): WavePlan {
  const random = new Random(seed);
  const sessions = Array.from({ length: WAVE_SIZE }, (_, index) =>
    planSession({ random: random.fork(), name: `w${seed}-s${index}` }),
  );
  return { seed, sessions, strikes: planStrikes(random.fork()) };
}

/** The worker and Postgres always, and one or two more of whatever. */
function planStrikes(random: Random): Strike[] {
  const victims: Victim[] = ['worker', 'postgres'];
  for (let more = random.whole(1, 2); more > 0; more -= 1)
    victims.push(random.weighted({ worker: 3, postgres: 1, api: 3, temporal: 1 }));
  return victims
    .map((victim) => ({ victim, after: random.whole(EXPECTED_EVENTS * 0.1, EXPECTED_EVENTS * 0.7) }))
    .toSorted((a, b) => a.after - b.after);
}
