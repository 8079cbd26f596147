import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { neededProgram, workspaceRoot } from '@everturn/core/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TemporalPages } from './support/temporal-pages.ts';
import { startStack, type Stack } from './support/stack.ts';

const chromium = neededProgram('chromium');
const STEPS = 14;

describe.skipIf(chromium.absent)(`the demo job in the Temporal UI${chromium.note}`, () => {
  let stack: Stack;
  let pages: TemporalPages;
  let session: string;

  beforeAll(async () => {
    stack = await startStack({ own: ['temporal'] });
    cpSync(join(workspaceRoot, 'infra/demo/workspace'), stack.workspace, { recursive: true });
    const options = { id: 'demo', provider: 'scripted', model: 'scripted-demo', workspace: stack.workspace };
    session = await stack.api.create(options);
    await stack.api.prompt(session, readFileSync(join(workspaceRoot, 'infra/demo/prompt.md'), 'utf8'));
    await stack.api.turnEnded(session);
    pages = await TemporalPages.open({
      browser: chromium.file,
      uiUrl: stack.temporalServer?.uiUrl ?? '',
      namespace: stack.temporal.namespace,
      pictures: process.env['EVERTURN_TEST_PICTURES'],
    });
  });
  afterAll(async () => {
    await pages?.close();
    await stack?.stop();
  });

  test('the session says where it stands', async () => {
    await pages.open(`session:${session}`, 'User Metadata');
    expect(await pages.heading()).toBe(`session:${session}`);
    const lines = await pages.metadata('turn 1 was the last');
    // Called by its first words.
    expect(lines).toContain('The tests of this project · idle');
    expect(lines).toContain('waiting messages: 0');
    expect(lines).toContain(`steps: ${STEPS}`);
    expect(lines).toContain('model: scripted-demo');
    expect(lines.some((line) => /^tokens: \d+,\d{3} in \(0 of them cached\), [\d,]+ out$/.test(line))).toBe(true);
    await pages.picture('session');
  });

  test('the session shows its turn by the words of its prompt', async () => {
    await pages.open(`session:${session}`, 'Timeline');
    expect(await pages.shown('The tests of this project fail.')).toMatch(/^The tests .* run its tests w…$/);
    await pages.picture('session-timeline');
  });

  test('the turn says what each of its steps did', async () => {
    await pages.open(`session:${session}/turn:1`, 'User Metadata');
    const lines = await pages.metadata('Turn 1 · completed');
    await pages.picture('turn');
    expect(lines.filter((line) => /^step \d+: /.test(line)).slice(0, -1)).toEqual([
      'step 1: todo_write: Find out what the project does',
      'step 2: glob: **/*.ts',
      'step 3: grep: ^export function',
      'step 4: read: src/money.ts · read: src/order.ts · read: src/due-date.ts',
      'step 5: todo_write: Run its tests',
      'step 6: bash: Run the tests',
      'step 7: todo_write: Fix what fails',
      'step 8: edit: src/money.ts · edit: src/order.ts · edit: src/due-date.ts',
      'step 9: todo_write: Run the tests again',
      'step 10: bash: Run the tests',
      'step 11: todo_write: Write REPORT.md',
      'step 12: write: REPORT.md',
      'step 13: todo_write: 5 of 5 done',
    ]);
  });

  test('the turn is linked with its session and its steps', async () => {
    await pages.open(`session:${session}/turn:1`, 'Relationships');
    const steps = Array.from({ length: STEPS }, (_, index) => `session:${session}/turn:1/step:${index + 1}`);
    const family = await pages.family(STEPS + 2);
    expect(family.toSorted()).toEqual([`session:${session}`, `session:${session}/turn:1`, ...steps].toSorted());
    await pages.picture('relationships');
  });

  test('a step shows its model call and its tool by what it was for', async () => {
    await pages.open(`session:${session}/turn:1/step:6`, 'Timeline');
    expect(await pages.shown('streamModel')).toBe('streamModel • model scripted-demo');
    expect(await pages.shown('runTool')).toBe('runTool • bash: Run the tests');
    await pages.picture('step-timeline');
    await pages.open(`session:${session}/turn:1/step:6`, 'User Metadata');
    expect(await pages.metadata('done: bash: Run the tests')).toContain('Step 6 of turn 1');
    await pages.picture('step');
  });
});
