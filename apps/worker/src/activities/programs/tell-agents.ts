import {
  characterCut,
  checkOutputSchema,
  INLINE_ARGUMENTS_BYTES,
  jsonBytes,
  parseArguments,
  type JsonObject,
  type MaybeRef,
} from '@everturn/core/domain';
import type { ScriptAgent } from '@everturn/tools/kit';
import type { RequestedCall, RunProgramInput } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import type { FreshCall } from './tell-calls.ts';

/** Of a label or a phase, which stand in the log and in what people watch. */
const LONGEST_NAME_BYTES = 200;
/** Below this a reference would not be shorter. */
const SHORT_BYTES = 256;

/** The agents a script has asked for, as they travel; what is wrong with a schema makes a call invalid. */
export async function tellAgents(
  { values }: Pick<ActivityDeps, 'values'>,
  { tenant }: Pick<RunProgramInput, 'tenant'>,
  fresh: readonly FreshCall[],
): Promise<RequestedCall[]> {
  let inline = 0;
  const light = async <T extends string | JsonObject>(value: T): Promise<MaybeRef<T>> => {
    const bytes = jsonBytes(value);
    if (bytes > SHORT_BYTES && inline + bytes > INLINE_ARGUMENTS_BYTES) return values.store(tenant, value);
    inline += bytes;
    return values.travel(tenant, value);
  };
  const told: RequestedCall[] = [];
  for (const call of fresh) {
    // As the prelude of scripts put it together.
    const { prompt, label, phase, schema, ...route } = parseArguments(call.arguments) as unknown as AskedAgent;
    const problems = schema === undefined ? [] : checkOutputSchema(schema);
    const agent: ScriptAgent = {
      prompt: await light(prompt),
      label: characterCut(label, LONGEST_NAME_BYTES),
      ...(phase !== undefined && { phase: characterCut(phase, LONGEST_NAME_BYTES) }),
      ...(schema !== undefined && problems.length === 0 && { schema: await light(schema) }),
      ...route,
    };
    told.push({
      ...call,
      arguments: JSON.stringify(agent),
      concurrency: 'parallel',
      ...(problems.length > 0 && { invalid: `UNSUPPORTED_SCHEMA: ${problems.join('; ')}` }),
    });
  }
  return told;
}

type AskedAgent = Omit<ScriptAgent, 'prompt' | 'schema'> & { prompt: string; schema?: JsonObject };
