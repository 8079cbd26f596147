import type { Application } from './stack/application.ts';
import type { Servers } from './stack/servers.ts';

/** What a number counts. */
export type Unit = 'ms' | 'bytes' | 'count';

/** Something measured. */
export interface Figure {
  readonly name: string;
  readonly unit: Unit;
  /** NaN where this machine cannot tell. */
  readonly value: number;
  /** What the same costs without us, or at the first point of a growth; the ratio is value by floor. */
  readonly floor?: number;
  /** What we want; missing it is shown and fails nothing. Absent on figures that only explain others. */
  readonly target?: Target;
  /** How it was measured, where the name does not say it. */
  readonly note?: string;
}

/** The highest value, or the highest ratio to the floor, that is good enough. */
export interface Target {
  readonly of: 'value' | 'ratio';
  readonly atMost: number;
}

/** What a benchmark works with. */
export interface Bench {
  /** `quick` gives a first impression in a tenth of the time. */
  readonly size: 'quick' | 'full';
  readonly servers: Servers;
  /** The product on these servers; started when the first benchmark asks for it. */
  application(): Promise<Application>;
  /** Says what is being done just now. */
  tell(text: string): void;
}

/** One measurement of the list; answers its figures, and throws only when it could not measure. */
export interface Benchmark {
  readonly name: string;
  readonly title: string;
  run(bench: Bench): Promise<Figure[]>;
}
