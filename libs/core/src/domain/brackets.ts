import type { PairRule } from './event-registry.ts';

/** Follows events that must pair exactly once by key within a turn (an approval asked and decided, say). */
export class Brackets {
  readonly #open = new Map<string, string>();
  readonly #seen = new Set<string>();

  /** What is wrong with an event of this rule, if anything. */
  check(rule: PairRule<never>, data: unknown): string | undefined {
    const { name, key, id } = read(rule, data);
    if ('opens' in rule) return this.#seen.has(id) ? `${name} "${key}" was opened before` : undefined;
    return this.#open.has(id) ? undefined : `${name} "${key}" is not open`;
  }

  apply(rule: PairRule<never>, data: unknown): void {
    const { name, key, id } = read(rule, data);
    if ('opens' in rule) {
      this.#open.set(id, `${name} "${key}"`);
      this.#seen.add(id);
    } else this.#open.delete(id);
  }

  /** What is still open, as text for people; in order of opening. */
  pending(): string[] {
    return [...this.#open.values()];
  }

  /** Forgets everything: a turn's end closes what a crash left open. */
  clear(): void {
    this.#open.clear();
    this.#seen.clear();
  }
}

function read(rule: PairRule<never>, data: unknown): { name: string; key: string; id: string } {
  const name = 'opens' in rule ? rule.opens : rule.closes;
  const key = (rule.key as (data: unknown) => string)(data);
  return { name, key, id: JSON.stringify([name, key]) };
}
