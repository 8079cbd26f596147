import type { JsonValue } from '@everturn/core/domain';
import type { ValueSchema } from './json-schema.ts';
import { ToolError } from './tool-error.ts';

/** What a question is asked with besides its input. */
export interface InspectCall {
  readonly signal: AbortSignal;
}

/** One question a provider answers. It changes nothing, so it may be asked again. */
export interface InspectMethod<Call extends InspectCall = InspectCall> {
  readonly name: string;
  readonly description: string;
  /** Checks what is asked with; a question without input is one with `{}`. */
  readonly input: ValueSchema;
  /** Checks the answer. */
  readonly output: ValueSchema;
  answer(input: JsonValue, call: Call): Promise<JsonValue> | JsonValue;
}

/** Tells what there is of one kind where plugins run. */
export interface InspectProvider<Call extends InspectCall = InspectCall> {
  /** Where it answers; absent = `host`. */
  readonly platform?: 'host' | 'client';
  readonly id: string;
  readonly description: string;
  readonly methods: readonly InspectMethod<Call>[];
}

/** Finds the providers a session has, in the order they are listed in. */
export type Inspect = () => Promise<readonly InspectProvider[]>;

/** The providers of the session a call is for; throws `INSPECT_UNAVAILABLE` where the call is for none. */
export async function inspectProviders({ inspect }: { inspect?: Inspect }): Promise<readonly InspectProvider[]> {
  if (inspect) return inspect();
  throw new ToolError('INSPECT_UNAVAILABLE', 'Cordis inspection requires an Agent-backed session');
}
