import { describe, expect, it } from 'vitest';
import { isLlmError } from '../domain/index.ts';
import type { GenerateOptions, JsonValue, Message, StreamChunk } from '../domain/index.ts';
import type { LlmAdapter } from './llm-adapter.ts';
import { LlmRegistry } from './registry.ts';
import { defaultModel, llmRegistry } from './routes.ts';

function adapter(more: Partial<LlmAdapter> & { chunks?: StreamChunk[]; seen?: GenerateOptions[] } = {}): LlmAdapter {
  return {
    id: 'a',
    name: 'A',
    async *stream(options) {
      more.seen?.push(options);
      yield* more.chunks ?? [];
    },
    models: () => [],
    context: () => undefined,
    ...more,
  };
}

const route = (id: string, own: LlmAdapter = adapter(), digest = 'd1') => ({
  provider: { id, name: id },
  adapter: own,
  digest,
});
const finish = (replayState?: JsonValue): StreamChunk => ({
  type: 'finish',
  reason: { kind: 'stop' },
  ...(replayState !== undefined && { replayState }),
});
const ask = (provider: string, messages: Message[] = []): GenerateOptions => ({ provider, model: 'm', messages });

async function codeOf(run: () => unknown): Promise<string> {
  try {
    await run();
  } catch (error) {
    return isLlmError(error) ? error.failure.code : String(error);
  }
  return 'none';
}

async function drain(chunks: AsyncIterable<StreamChunk>): Promise<StreamChunk[]> {
  const all: StreamChunk[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

describe('registration', () => {
  it('refuses a provider twice, until the first is taken away', async () => {
    const registry = new LlmRegistry();
    const dispose = registry.register(route('p'));
    expect(await codeOf(() => registry.register(route('p')))).toBe('DUPLICATE_ADAPTER');
    dispose();
    dispose();
    registry.register(route('p'));
    expect(registry.providers()).toEqual([{ id: 'p', name: 'p' }]);
  });

  it('refuses what is incomplete', async () => {
    const registry = new LlmRegistry();
    expect(await codeOf(() => registry.register(route('')))).toBe('INVALID_ADAPTER');
    expect(await codeOf(() => registry.register(route('p', adapter({ id: '' }))))).toBe('INVALID_ADAPTER');
  });

  it('names what is not there', async () => {
    const registry = new LlmRegistry();
    registry.register(route('p'));
    await expect(drain(registry.stream(ask('q')))).rejects.toThrow('no provider "q" is configured; configured: p');
    expect(await codeOf(() => registry.models('q'))).toBe('NO_ADAPTER');
  });
});

describe('catalogue and capacity', () => {
  it('are checked and never guessed', async () => {
    const registry = new LlmRegistry();
    const model = { provider: 'p', id: 'm', name: 'M' };
    registry.register(route('p', adapter({ models: () => [model, model], context: () => ({ contextWindow: 0 }) })));
    registry.register(route('q', adapter({ models: () => [{ ...model, provider: 'q' }], context: () => undefined })));
    expect(await codeOf(() => registry.models('p'))).toBe('INVALID_CATALOG');
    expect(await codeOf(() => registry.context({ provider: 'p', model: 'm' }))).toBe('INVALID_MODEL_CONTEXT');
    expect(await codeOf(() => registry.context({ provider: 'q', model: 'm' }))).toBe('UNKNOWN_MODEL');
    expect(registry.models('q')).toEqual([{ ...model, provider: 'q' }]);
  });
});

describe('a stream', () => {
  it.each<[string, StreamChunk[]]>([
    ['without finish', []],
    ['with something after finish', [finish(), finish()]],
    ['with a delta for no block', [{ type: 'text-delta', index: 0, text: 'x' }, finish()]],
    ['with a block left open', [{ type: 'block-start', index: 0, blockType: 'text' }, finish()]],
    [
      'with a block started twice',
      [
        { type: 'block-start', index: 0, blockType: 'text' },
        { type: 'block-start', index: 0, blockType: 'text' },
      ],
    ],
  ])('%s breaks the grammar', async (_how, chunks) => {
    const registry = new LlmRegistry();
    registry.register(route('p', adapter({ chunks })));
    expect(await codeOf(() => drain(registry.stream(ask('p'))))).toBe('MALFORMED_RESPONSE');
  });

  it('that throws a foreign error is UNKNOWN, whatever code it carries, with the whole chain of causes', async () => {
    const registry = new LlmRegistry();
    const cause = Object.assign(new Error('socket', { cause: new AggregateError([new Error('a'), new Error('b')]) }), {
      code: 'RATE_LIMIT',
    });
    const stream = () => {
      throw new Error('broke', { cause });
    };
    registry.register(route('p', adapter({ stream })));
    await expect(drain(registry.stream(ask('p')))).rejects.toMatchObject({
      failure: { code: 'UNKNOWN', message: 'broke: socket: [a; b]' },
    });
  });
});

describe('replay state', () => {
  const history = (provider: string, replayState: JsonValue): Message[] => [
    { role: 'assistant', content: [], provenance: { provider, model: 'm', replayState } },
  ];
  const stateFrom = async (registry: LlmRegistry, provider: string): Promise<JsonValue> => {
    const last = (await drain(registry.stream(ask(provider)))).at(-1);
    if (last?.type !== 'finish' || last.replayState === undefined) throw new Error('no replay state');
    return last.replayState;
  };
  const shown = (seen: GenerateOptions[]) => seen.at(-1)?.messages[0]?.provenance?.replayState;

  it.each<JsonValue>([{ response: 'r', blocks: [1] }, 'text', [1], { value: 1, other: 2 }])(
    'goes back as %j to the same configuration only',
    async (state) => {
      const seen: GenerateOptions[] = [];
      const registry = new LlmRegistry();
      const own = adapter({ chunks: [finish(state)], seen });
      registry.register(route('p', own));
      registry.register(route('twin', own));
      registry.register(route('other', own, 'd2'));
      const stored = await stateFrom(registry, 'p');
      const after = async (provider: string) => {
        await drain(registry.stream(ask(provider, history('p', stored))));
        return shown(seen);
      };
      expect([await after('p'), await after('twin'), await after('other')]).toEqual([state, state, undefined]);
    },
  );

  it('keeps the members that others prune by position at the top', async () => {
    const registry = new LlmRegistry();
    registry.register(route('p', adapter({ chunks: [finish({ response: 'r', blocks: [1] })] })));
    expect(await stateFrom(registry, 'p')).toEqual({ response: 'r', blocks: [1], owner: 'a:d1' });
  });
});

describe('configured routes', () => {
  const limits = { streamIdleTimeoutMs: 1000, streamSilenceLimitMs: 1000 };
  const configured = { id: 'x', name: 'X', dialect: 'openai' as const, baseUrl: 'http://127.0.0.1:9/v1', models: [] };

  it('have a digest that a new key does not change and a new address does', () => {
    const owner = (more: object) => llmRegistry({ ...limits, routes: [{ ...configured, ...more }] }).owner('x');
    expect(owner({ apiKey: { reveal: () => 'k1' } })).toBe(owner({ apiKey: { reveal: () => 'k2' } }));
    expect(owner({ baseUrl: 'http://127.0.0.1:10/v1' })).not.toBe(owner({}));
  });

  it('name the model of a session that names none', async () => {
    const routes = [
      { ...configured, models: [{ id: 'm1' }] },
      { ...configured, id: 's', dialect: 'scripted' as const },
    ];
    const registry = llmRegistry({ ...limits, routes });
    expect(await defaultModel(registry, undefined)).toEqual({ provider: 'x', model: 'm1' });
    expect(await defaultModel(registry, { provider: 's' })).toEqual({ provider: 's', model: 'scripted-demo' });
    expect(await defaultModel(registry, { provider: 'x', model: 'm2' })).toEqual({ provider: 'x', model: 'm2' });
    expect(await defaultModel(new LlmRegistry(), undefined)).toBeUndefined();
  });
});
