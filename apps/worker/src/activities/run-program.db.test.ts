import { expect, test } from 'vitest';
import { text, type CallId } from '@everturn/core/domain';
import { openDatabase } from '@everturn/core/postgres';
import { defineTool, implementTool, resultText, type ToolExecutionResult } from '@everturn/tools/kit';
import type { JournalEntry, RunProgramInput, RunProgramResult, RunToolInput } from '../contract/index.ts';
import type { RegisteredTool } from '../plugins/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { Values } from './context/values.ts';
import { runProgramActivity } from './run-program.ts';
import { runToolActivity } from './run-tool.ts';
import { model, projection } from './testing/servers.ts';
import { attempt, testProcess } from './testing/test-process.ts';
import { insideStep } from './testing/test-turn.ts';

const echo = implementTool(
  defineTool({
    name: 'echo',
    description: 'says it again',
    parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
    home: 'model',
    effect: 'at-most-once',
    concurrency: () => 'parallel',
  }),
  async ({ word }) => ({ content: [text(`said ${word}`)], value: { word } }),
) as RegisteredTool;

const worker = async (): Promise<ActivityDeps> => ({
  ...(await testProcess({ projection, model, tools: [echo] })),
  toolsMode: 'both',
});
const call = { index: 0, callId: 'c1' as CallId };
const commit = { events: [], highestAcknowledged: -1 };

async function programIn(deps: ActivityDeps, code: string): Promise<RunProgramInput> {
  const { ref } = await insideStep(deps);
  return {
    ...ref,
    turn: 1,
    step: 1,
    call,
    kind: 'run_code',
    code,
    startedAt: 1_000,
    timeoutMs: 20_000,
    budgetMs: 20_000,
    journal: [],
    known: { count: 0, digest: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
    told: 0,
    spill: 'now',
    commit,
  };
}

const round = (deps: ActivityDeps, input: RunProgramInput) => attempt(runProgramActivity(deps), input).result;
const waiting = (result: RunProgramResult) => result as Extract<RunProgramResult, { kind: 'waiting' }>;
const textOf = (result: RunProgramResult) =>
  result.kind === 'ended' ? resultText(result.outcome as ToolExecutionResult) : result.kind;

/** Makes a call of the program as its workflow does. */
async function make(deps: ActivityDeps, input: RunProgramInput, made: RunToolInput['call']) {
  const { session, tenant, generation } = input;
  const place = { session, tenant, generation, turn: 1, step: 1 };
  const toolInput: RunToolInput = { ...place, call: made, parent: call, effect: 'at-most-once', spill: 'now', commit };
  return (await attempt(runToolActivity(deps), toolInput).result).outcome;
}

/** What the program is given next. */
const after = (input: RunProgramInput, { known, code }: ReturnType<typeof waiting>, ...journal: JournalEntry[]) => ({
  ...input,
  code,
  known,
  told: known.count,
  journal: [...input.journal, ...journal],
});

const TWO = `const [a, b] = await Promise.all([tools.echo({ word: 'x' }), tools.echo({ word: 'y' })]);
  console.log(a, b, Math.random() < 1); return (await tools.echo({ word: a.word + b.word })).word;`;

test('a program goes on where it was, on this worker and on any other', async () => {
  const [one, two] = [await worker(), await worker()];
  const first = await programIn(one, TWO);
  const told = waiting(await round(one, first));
  expect(told.calls.map(({ callId, concurrency, arguments: given }) => [callId, concurrency, given])).toEqual([
    ['c1:ptc:1', 'parallel', '{"word":"x"}'],
    ['c1:ptc:2', 'parallel', '{"word":"y"}'],
  ]);
  const outcomes = await Promise.all(told.calls.map((made) => make(one, first, made)));
  expect(outcomes[0]).toEqual({ content: [text('said x')], isError: false, forProgram: { value: { word: 'x' } } });
  const second = after(first, told, 2, 1);
  const here = waiting(await round(one, second));
  const there = waiting(await round(two, second));
  expect(there.calls).toEqual(here.calls);
  expect(there.known).toEqual(here.known);
  expect(here.calls.map(({ arguments: given }) => given)).toEqual(['{"word":"xy"}']);
  await make(two, first, there.calls[0] as RunToolInput['call']);
  const last = after(second, there, 3);
  expect(textOf(await round(two, last))).toBe('{ word: "x" } { word: "y" } true\nxy');
  expect(textOf(await round(one, last))).toBe('{ word: "x" } { word: "y" } true\nxy');
  await Promise.all([one.programs.dispose(), two.programs.dispose()]);
});

test('results that no claim holds are told in the journal: a denial, what a listener made of it, data', async () => {
  const deps = await worker();
  const code = `const r = []; for (const word of ['a', 'b', 'c']) r.push(await tools.echo({ word }).catch((e) => e.message)); return JSON.stringify(r)`;
  let input = await programIn(deps, code);
  for (const entry of [
    { n: 1, content: [text('Error: policy says no')], isError: true },
    { n: 2, content: [text('made of it')], isError: false },
    { n: 3, value: { data: 1 } },
  ]) {
    const told = await round(deps, input);
    input = after(input, waiting(told), entry);
  }
  expect(textOf(await round(deps, input))).toBe('["policy says no","made of it",{"data":1}]');
});

test('an outage while calls are told costs no thread', async () => {
  const deps = await worker(); // which has one
  const database = openDatabase('postgres://nobody@127.0.0.1:1/nothing');
  const input = await programIn(deps, `await tools.echo({ word: 'x' }); // ${'long '.repeat(300)}`);
  const cutOff = { ...deps, values: new Values({ database }) };
  await expect(round(cutOff, input)).rejects.toMatchObject({ nonRetryable: false });
  expect(waiting(await round(deps, input)).calls).toHaveLength(1);
  await Promise.all([deps.programs.dispose(), database.destroy()]);
});

test('a program that does not repeat its calls is ended', async () => {
  const [one, two] = [await worker(), await worker()];
  const input = await programIn(one, `await tools.echo({ word: 'x' })`);
  const told = waiting(await round(one, input));
  const other = { ...after(input, told), code: `await tools.echo({ word: 'z' })` };
  expect(textOf(await round(two, other))).toBe(
    'Error: code run failed (protocol): when it ran again it did not make the same first 1 calls',
  );
  await Promise.all([one.programs.dispose(), two.programs.dispose()]);
});

test('calls that were told and never answered are told again to whoever asks from the start', async () => {
  const [one, two] = [await worker(), await worker()];
  const input = await programIn(one, `await Promise.all(['a', 'b'].map((word) => tools.echo({ word })))`);
  const told = waiting(await round(one, input));
  await make(one, input, told.calls[0] as RunToolInput['call']);
  const again = waiting(await round(two, { ...after(input, told, 1), told: 0 }));
  expect(again.calls).toEqual([told.calls[1]]);
  await Promise.all([one.programs.dispose(), two.programs.dispose()]);
});

test('a cancel ends a round with what was printed; so does a decision that it is over', async () => {
  const deps = await worker();
  const input = await programIn(deps, `console.log('begun'); for (;;) {}`);
  const running = attempt(runProgramActivity(deps), input);
  running.cancel();
  expect(textOf(await running.result)).toMatch(/^Error: code run failed \(abort\): the run was cancelled/);
  const waits = await programIn(deps, `console.log('printed'); await tools.echo({ word: 'x' })`);
  const told = waiting(await round(deps, waits));
  const ending = { failure: 'timeout' as const, message: 'no end after 1ms of work' };
  expect(textOf(await round(deps, { ...after(waits, told), ending }))).toBe(
    'Error: code run failed (timeout): no end after 1ms of work\nCaptured output:\nprinted',
  );
  await deps.programs.dispose();
});

test('what is too long is shown by its ends, and kept whole for the program', async () => {
  const deps = await worker();
  const input = await programIn(deps, `return (await tools.echo({ word: 'w'.repeat(60000) })).word`);
  const told = waiting(await round(deps, input));
  const outcome = await make(deps, input, told.calls[0] as RunToolInput['call']);
  const logged = await deps.values.resolve(input.tenant, outcome.content);
  expect(resultText({ content: logged })).toMatch(/^said w+[^]*Full formatted result stored at: \S+echo\.txt/);
  const end = await round(deps, after(input, told, 1));
  const content = end.kind === 'ended' && (await deps.values.resolve(input.tenant, end.outcome.content));
  expect(content && resultText({ content })).toMatch(
    /^w+[^]*w\n\n\(Omitted \d+ bytes\. Full formatted result stored at: /,
  );
});
