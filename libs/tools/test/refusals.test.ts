import { expect, test } from 'vitest';
import { validateArguments } from '@everturn/core/domain';
import { executeTool } from '../src/activity.ts';
import { catalog, toolKey, type ToolDefinition } from '../src/catalog.ts';
import { ToolSettings, workflowSettings, type ToolExecutionResult, type ValueSchema } from '../src/kit/index.ts';
import { orchestrations } from '../src/workflow.ts';
import { openWorkspace } from './workspace.ts';

/** Runs a tool wherever its body is; in workflow code nothing is there that it could use. */
async function running() {
  const { context } = await openWorkspace();
  const settings = workflowSettings(ToolSettings.parse({}));
  return async (
    tool: ToolDefinition,
    args: unknown,
  ): Promise<Omit<ToolExecutionResult, 'content'> & { content: unknown }> => {
    const key = toolKey(tool);
    if (tool.home !== 'workflow') return executeTool({ name: key, args, context: context() });
    const { events, result } = await orchestrations.get(key)!.orchestrate(args, { now: 0, settings });
    expect(events).toEqual([]);
    return result;
  };
}

/** What this one refuses is an answer with a code of its own, whatever is wrong. */
const ANSWERS = 'schedule_create';
const tools = catalog.filter(({ name }) => name !== ANSWERS);

const refused = (violation: string) => ({
  content: [{ type: 'text', text: expect.stringContaining(violation) as string }],
  isError: true,
  error: { name: 'ToolArgsError', code: 'INVALID_ARGS' },
});

/** Something the schema of a property does not take. */
const wrongFor = (schema: ValueSchema): unknown =>
  [7, 'x', []].find((value) => validateArguments(schema as never, value as never).length > 0);

test('every tool refuses what is no object, what lacks a part and what is of a wrong type, by name and before it does anything', async () => {
  const run = await running();
  let cases = 0;
  for (const tool of tools) {
    const { required = [], properties = {} } = tool.parameters as ValueSchema;
    for (const args of ['{"cut": "of', 7, null, []])
      expect(await run(tool, args), toolKey(tool)).toEqual(refused('invalid arguments: "arguments" must be an object'));
    if (required.length > 0)
      expect(await run(tool, {}), toolKey(tool)).toEqual(
        refused(`invalid arguments: ${required.map((name) => `missing required property "${name}"`).join('; ')}`),
      );
    for (const [name, schema] of Object.entries(properties)) {
      const wrong = wrongFor(schema);
      if (wrong === undefined) continue; // it takes anything
      expect(await run(tool, { [name]: wrong }), toolKey(tool)).toEqual(refused(`"${name}" must `));
      cases += 1;
    }
  }
  expect(cases).toBeGreaterThan(catalog.length);
});

test.each<[unknown, string]>([
  ['{"cut": "of', 'invalid_selector'],
  [7, 'invalid_selector'],
  [{}, 'invalid_selector'],
  [{ prompt: 7, after_seconds: 60 }, 'invalid_prompt'],
])('schedule_create answers %j by a code', async (args, code) => {
  const tool = catalog.find(({ name }) => name === ANSWERS) as ToolDefinition;
  const { isError, content } = await (await running())(tool, args);
  expect([isError, JSON.parse((content as { text: string }[])[0]?.text ?? '')]).toMatchObject([false, { code }]);
});

test('no tool takes more than JSON holds', async () => {
  const run = await running();
  for (const tool of tools)
    for (const args of [{ offset: Number.POSITIVE_INFINITY }, { offset: -0 }, { path: undefined }])
      expect(await run(tool, args), toolKey(tool)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('tool execution arguments must be losslessly JSON-serializable') }],
      });
});
