import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { RequestReceipt, sessionPath } from '../platform/api-shapes.ts';
import { CliError } from '../platform/cli-error.ts';
import type { Context } from '../platform/context.ts';
import { onlyOpen } from '../platform/only-open.ts';

interface AnswerOptions {
  id?: string;
  select: string[];
  text: string[];
  dismiss?: true;
}

/** `answer <session>`: answers a set of questions, or a plan's review. */
export function addAnswer(program: Command, context: Context): void {
  const collect = (value: string, before: string[]) => [...before, value];
  program
    .command('answer')
    .argument('<session>')
    .description('Answer the questions that wait: all of them together')
    .option('--id <id>', 'which set of questions, as `interactions` lists it; needed where several wait')
    .option('--select <question=label>', 'choose an option; again for each question, and each of several', collect, [])
    .option('--text <question=words>', 'answer in your own words', collect, [])
    .option('--dismiss', 'rather not answer')
    .action(async (session: string, { id, select, text, dismiss }: AnswerOptions) => {
      const body = dismiss ? { dismiss } : { answers: answersOf(select, text) };
      const asked = id ?? (await onlyOpen(context, session, 'question'));
      const path = sessionPath(session, `questions/${encodeURIComponent(asked)}/answer`);
      const request = { method: 'POST' as const, path, body, idempotencyKey: randomUUID() };
      const { accepted } = await context.api().json(request, RequestReceipt);
      context.print(accepted === 'delivered' ? 'answer: the session has it' : 'answer: kept for the session');
    });
}

/** Options as the API takes them; throws for one without a question. */
export function answersOf(select: readonly string[], text: readonly string[]) {
  const answers = new Map<string, { id: string; selected: string[]; custom?: string }>();
  const of = (id: string) => {
    const known = answers.get(id) ?? { id, selected: [] };
    answers.set(id, known);
    return known;
  };
  for (const [id, label] of select.map((given) => parted(given, '--select'))) of(id).selected.push(label);
  for (const [id, words] of text.map((given) => parted(given, '--text'))) of(id).custom = words;
  if (answers.size > 0) return [...answers.values()];
  throw new CliError({
    code: 'CLI_USAGE',
    what: 'there is no answer',
    remedy: 'say --select question=label, --text question=words or --dismiss',
  });
}

function parted(given: string, option: string): [string, string] {
  const at = given.indexOf('=');
  if (at > 0) return [given.slice(0, at), given.slice(at + 1)];
  throw new CliError({
    code: 'CLI_USAGE',
    what: `${option} "${given}" names no question`,
    remedy: `write ${option} question=answer, with the question's id`,
  });
}
