import { z } from 'zod';
import { DomainError } from './errors.ts';

interface RegistryInput<Tag extends string> {
  /** The member that tells variants apart. */
  tag: Tag;
  /** What a variant is called in messages. */
  noun: string;
}

/**
 * The strict validators of one extensible map, keyed by tag.
 * A package that merges a variant into the map registers its validator when it loads; an unknown tag is refused.
 */
export class VariantRegistry<Variants extends { [K in keyof Variants]: object }, Tag extends string> {
  readonly #validators = new Map<string, z.ZodType>();
  readonly #tag: Tag;
  readonly #noun: string;
  /** Validates any registered variant; looks the variant up when it runs, so later registrations count. */
  readonly schema: z.ZodType<Variants[keyof Variants]>;

  constructor({ tag, noun }: RegistryInput<Tag>) {
    this.#tag = tag;
    this.#noun = noun;
    // Which variants there are is known only at run time, so the type is the map's and the check is ours.
    this.schema = z.unknown().superRefine((value, context) => this.#validate(value, context)) as unknown as z.ZodType<
      Variants[keyof Variants]
    >;
  }

  /** Adds a variant's validator, which must be strict and must not transform. Throws `DOMAIN_DUPLICATE_VARIANT`. */
  register<K extends keyof Variants & string>(name: K, validator: z.ZodType<Variants[K]>): void {
    if (this.#validators.has(name)) {
      throw new DomainError('DOMAIN_DUPLICATE_VARIANT', `${this.#noun} "${name}" is already registered`);
    }
    this.#validators.set(name, validator);
  }

  /** The tags registered so far, in order of registration. */
  names(): string[] {
    return [...this.#validators.keys()];
  }

  #validate(value: unknown, context: z.RefinementCtx): void {
    const name = readTag(value, this.#tag);
    if (name === undefined) {
      context.addIssue({ code: 'custom', message: `a ${this.#noun} needs a string member "${this.#tag}"` });
      return;
    }
    const validator = this.#validators.get(name);
    if (!validator) {
      context.addIssue({ code: 'custom', path: [this.#tag], message: `unknown ${this.#noun} "${name}"` });
      return;
    }
    const result = validator.safeParse(value);
    for (const issue of result.error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: issue.path, message: issue.message });
    }
  }
}

function readTag(value: unknown, tag: string): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, tag)) return undefined;
  const name = (value as Record<string, unknown>)[tag];
  return typeof name === 'string' ? name : undefined;
}
