import { z } from 'zod';
import { expect, test } from 'vitest';
import { parseAgentOptions, registerAgentOption } from './agent-options.ts';

test('takes known options and names what is wrong', () => {
  const options = { provider: 'p', model: 'm', temperature: 0.5, maxTokens: 9, stop: ['x'], reasoningEffort: 'low' };
  expect(parseAgentOptions(options)).toEqual(options);
  expect(parseAgentOptions({})).toEqual({});
  for (const [wrong, field] of [
    [{ maxTokens: 0 }, 'options.maxTokens'],
    [{ modle: 'm' }, 'modle'],
    [{ reasoningEffort: 'huge' }, 'options.reasoningEffort'],
  ] as const) {
    expect(() => parseAgentOptions(wrong)).toThrow(
      expect.objectContaining({ code: 'DOMAIN_INVALID_OPTIONS', message: expect.stringContaining(field) }),
    );
  }
  expect(() => registerAgentOption('model', z.string())).toThrow(
    expect.objectContaining({ code: 'DOMAIN_DUPLICATE_VARIANT' }),
  );
});
