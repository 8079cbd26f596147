import { InfraError } from '../../process/infra-error.ts';
import type { StackPaths } from './paths.ts';
import { showing, type Tell } from './progress.ts';
import type { RunningService, Service } from './service.ts';

/** A service that dies more often than this within a minute is not started again. */
const restartsAMinute = 5;

interface Entry {
  readonly service: Service;
  /** Its place in the order of starting, whenever it got ready. */
  readonly place: number;
  running: RunningService;
  restarts: number[];
}

/** What the supervisor reports to. */
export interface SupervisorEvents {
  /** Something started, restarted or ended: the state file is out of date. */
  changed(): void;
  /** A service cannot be kept alive. */
  gaveUp(error: unknown): void;
}

/** Starts services in order, starts again what dies, and stops them in the reverse order. */
export class Supervisor {
  readonly #paths: StackPaths;
  readonly #events: SupervisorEvents;
  readonly #entries: Entry[] = [];
  #places = 0;
  #environment: Record<string, string>;
  #stopping = false;

  constructor(paths: StackPaths, environment: Record<string, string>, events: SupervisorEvents) {
    this.#paths = paths;
    this.#environment = environment;
    this.#events = events;
  }

  /** The environment for processes started now. */
  get environment(): Readonly<Record<string, string>> {
    return this.#environment;
  }

  /** Adds variables that no service provides. */
  provide(more: Record<string, string>): void {
    this.#environment = { ...this.#environment, ...more };
  }

  /** What runs now, in the order it was started. */
  get running(): { name: string; service: RunningService }[] {
    return this.#entries.map(({ service, running }) => ({ name: service.name, service: running }));
  }

  /** Starts services beside one another, shows each, and watches them from then on. */
  async start(...services: Service[]): Promise<void> {
    const outcomes = await Promise.allSettled(services.map((service) => this.#add(service, (this.#places += 1))));
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure) throw failure.reason;
  }

  /** Stops everything, the newest first; a service that will not stop does not keep the others. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const { service, running } of this.#entries.toReversed()) {
      const nothing = () => 'stopped';
      await showing(service.name, (tell) => (tell('stopping'), running.stop()), nothing).catch(() => {});
    }
  }

  async #add(service: Service, place: number): Promise<void> {
    const start = (tell: Tell) => this.#launch(service, tell, undefined);
    const running = await showing(service.name, start, ({ detail }) => detail);
    if (this.#stopping) return running.stop();
    const entry: Entry = { service, place, running, restarts: [] };
    this.#entries.push(entry);
    this.#entries.sort((one, other) => one.place - other.place);
    this.#watch(entry);
    this.#events.changed();
  }

  async #launch(service: Service, tell: Tell, before: RunningService | undefined): Promise<RunningService> {
    const running = await service.start({ paths: this.#paths, environment: this.#environment, tell, before });
    this.provide({ ...running.provides });
    return running;
  }

  #watch(entry: Entry): void {
    void entry.running.exited.then(() => this.#revive(entry));
  }

  async #revive(entry: Entry): Promise<void> {
    for (let failure: unknown; !this.#stopping;) {
      const now = Date.now();
      entry.restarts = [...entry.restarts.filter((at) => now - at < 60_000), now];
      if (entry.restarts.length > restartsAMinute) {
        return this.#events.gaveUp(tooOften(entry.service.name, this.#paths.logs, failure));
      }
      try {
        return await this.#restart(entry);
      } catch (error) {
        // What it needs may be coming back itself just now, so the next attempt waits a little longer.
        failure = error;
        await new Promise<void>((resolve) => setTimeout(resolve, entry.restarts.length * 1000).unref());
      }
    }
  }

  async #restart(entry: Entry): Promise<void> {
    const { service, running } = entry;
    const start = (tell: Tell) => this.#launch(service, tell, running);
    entry.running = await showing(`${service.name} died; restart`, start, ({ detail }) => detail);
    if (this.#stopping) return entry.running.stop();
    this.#watch(entry);
    this.#events.changed();
  }
}

function tooOften(name: string, logs: string, cause: unknown): InfraError {
  return new InfraError(
    'INFRA_PROCESS_DIED',
    `${name} died more than ${restartsAMinute} times a minute`,
    `read ${logs}/${name}.log`,
    cause,
  );
}
