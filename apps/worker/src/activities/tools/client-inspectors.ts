import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { validateArguments, type JsonObject, type JsonValue } from '@everturn/core/domain';
import {
  askClients,
  endInspectQuery,
  inspectAnswers,
  inspectClients,
  offers,
  type ClientProvider,
  type Database,
} from '@everturn/core/postgres';
import { ToolError, type InspectProvider, type ValueSchema } from '@everturn/tools/kit';
import type { SessionRef } from '../../contract/index.ts';

const LOOK_EVERY_MS = 100;
/** Looking whether anybody is still there costs a query more, so it is done less often. */
const LOOKS_PER_ROLL_CALL = 10;

type Place = Pick<SessionRef, 'tenant' | 'session'>;

/** Whom a session can ask in the pages that are connected; the same provider of several pages is listed once. */
export async function clientInspectors(database: Database, place: Place): Promise<InspectProvider[]> {
  const offered = (await inspectClients(database, place)).flatMap(({ providers }) => providers);
  return [...new Map(offered.toReversed().map((provider) => [provider.id, provider])).values()]
    .toReversed()
    .map(({ id, description, methods }) => ({
      platform: 'client',
      id,
      description,
      methods: methods.map((method) => ({
        ...method,
        // A page's own JSON Schema: any JSON object to us, read by the check of input and output alone.
        input: method.input as unknown as ValueSchema,
        output: method.output as unknown as ValueSchema,
        answer: (input, { signal }) => ask(database, place, { provider: id, method, input, signal }),
      })),
    }));
}

interface Question {
  provider: string;
  method: ClientProvider['methods'][number];
  input: JsonValue;
  signal: AbortSignal;
}

/** Waits for the first answer that keeps its promise; ends early only when nobody is left who could give one. */
async function ask(
  database: Database,
  place: Place,
  { provider, method, input, signal }: Question,
): Promise<JsonValue> {
  const id = randomUUID();
  await askClients(database, { ...place, id, provider, method: method.name, input });
  try {
    for (let look = 0; ; look += 1) {
      signal.throwIfAborted();
      const answers = await inspectAnswers(database, id);
      const valid = answers.find((answer) => 'data' in answer && fits(method.output, answer.data));
      if (valid && 'data' in valid) return valid.data;
      if (look % LOOKS_PER_ROLL_CALL === 0) {
        const failed = new Set(answers.map(({ client }) => client));
        const left = (await inspectClients(database, place)).filter(({ providers }) =>
          offers(providers, provider, method.name),
        );
        if (left.every(({ client }) => failed.has(client))) throw nobodyLeft(provider, method.name, answers);
      }
      await pause(LOOK_EVERY_MS, undefined, { signal });
    }
  } finally {
    await endInspectQuery(database, id).catch(() => undefined);
  }
}

function nobodyLeft(provider: string, method: string, answers: readonly object[]): ToolError {
  const said = answers.flatMap((answer) =>
    'error' in answer ? [String(answer.error)] : ['an answer that breaks its schema'],
  );
  const why = said.length === 0 ? 'no connected page offers it any more' : `every page failed: ${said.join('; ')}`;
  return new ToolError('INSPECT_NO_ANSWER', `${provider}.${method} was not answered: ${why}`);
}

/** A page's own schema may be anything; one that cannot be applied promises nothing that could be kept. */
function fits(schema: JsonObject, data: JsonValue): boolean {
  try {
    return validateArguments(schema, data).length === 0;
  } catch {
    return false;
  }
}
