import { snapshotJson, text, validateArguments, type JsonValue } from '@everturn/core/domain';
import { implementTool, inspectProviders, ToolError, type InspectMethod, type ValueSchema } from '../kit/index.ts';
import { cordisInspectQuery } from './schema.ts';

/** Asks a method whose input and answer are both checked; an answer that breaks its promise is not shown. */
export const executeCordisInspectQuery = implementTool(cordisInspectQuery, async (args, context) => {
  const { platform, provider, method } = args;
  const found = findMethod(args, await inspectProviders(context));
  const input = args.input === undefined ? {} : args.input;
  refuse('INSPECT_INVALID_INPUT', `input of ${provider}.${method}`, violations(found.input, input));
  const data = await found.answer(input, { signal: context.signal });
  refuse('INSPECT_INVALID_OUTPUT', `answer of ${provider}.${method}`, answerViolations(found.output, data));
  const value = { platform, provider, method, data };
  return { content: [text(JSON.stringify(value, null, 2))], value };
});

type Asked = { platform: 'host' | 'client'; provider: string; method: string };

function findMethod(
  { platform, provider, method }: Asked,
  providers: Awaited<ReturnType<typeof inspectProviders>>,
): InspectMethod {
  const here = providers.filter(({ platform: where = 'host' }) => where === platform);
  const { methods } =
    here.find(({ id }) => id === provider) ??
    unknown(
      'PROVIDER',
      `no ${platform} provider is named "${provider}"`,
      here.map(({ id }) => id),
    );
  return (
    methods.find(({ name }) => name === method) ??
    unknown(
      'METHOD',
      `provider "${provider}" has no method "${method}"`,
      methods.map(({ name }) => name),
    )
  );
}

function unknown(what: 'PROVIDER' | 'METHOD', message: string, known: readonly string[]): never {
  throw new ToolError(`INSPECT_UNKNOWN_${what}`, `${message}. Known: ${known.join(', ') || '(none)'}`);
}

const violations = (schema: ValueSchema, value: unknown): string[] => validateArguments(schema, value);

function answerViolations(schema: ValueSchema, data: JsonValue): string[] {
  try {
    return violations(schema, snapshotJson(data, 'answer'));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function refuse(
  code: 'INSPECT_INVALID_INPUT' | 'INSPECT_INVALID_OUTPUT',
  what: string,
  found: readonly string[],
): void {
  if (found.length > 0) throw new ToolError(code, `${what} breaks its schema: ${found.join('; ')}`);
}
