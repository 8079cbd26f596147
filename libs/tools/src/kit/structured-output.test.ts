import type { JsonObject, SessionId } from '@everturn/core/domain';
import { expect, test } from 'vitest';
import { OUTPUT_TOOL, outputTool, recordOutput, tooLateResult, ToolSettings } from './index.ts';

const schema: JsonObject = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const context = {
  initiator: { session: 's' as SessionId, turn: 1, step: 1, call: 0 },
  now: 0,
  settings: ToolSettings.parse({}),
};
const give = async (args: unknown) => (await recordOutput(schema).orchestrate(args, context)).result;

test('its parameters are the schema, and its section stands after the others', () => {
  const { name, parameters, promptSection } = outputTool(schema);
  expect([name, parameters, promptSection?.order]).toEqual([OUTPUT_TOOL, schema, 190]);
});

test('data that fits is recorded once the call has succeeded, and ends the turn', async () => {
  expect(await give({ n: 1, more: 'x' })).toEqual({
    content: [{ type: 'text', text: 'Structured output recorded.' }],
    isError: false,
    concludesTurn: true,
    events: [{ type: 'subagent/output', data: { value: { n: 1, more: 'x' } } }],
  });
});

test.each([[{}], [{ n: 1.5 }], ['no object'], [{ n: -0 }]])('%j is refused and may be corrected', async (args) => {
  const { isError, concludesTurn, events } = await give(args);
  expect({ isError, concludesTurn, events }).toEqual({ isError: true });
});

test('a call after it names the tool that was not executed', () => {
  expect(tooLateResult('bash').content).toEqual([
    { type: 'text', text: 'Error: the output has been recorded already: bash was not executed' },
  ]);
});
