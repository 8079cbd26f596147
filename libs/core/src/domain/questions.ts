import { z } from 'zod';

/** One of several answers to pick from; its label is the answer's value. */
export interface QuestionOption {
  label: string;
  description?: string;
}

/** One thing a person is asked. Without options the answer is free text. */
export interface Question {
  id: string;
  question: string;
  header?: string;
  options?: QuestionOption[];
  multi_select?: boolean;
}

/** What a set of questions is for, where a client may want to show it in a way of its own. */
export interface QuestionIntent {
  kind: 'plan-review';
  /** What is reviewed, as Markdown. */
  detail: string;
  /** The option that says yes. */
  approve: string;
}

export interface QuestionRequest {
  questions: Question[];
  intent?: QuestionIntent;
}

/** The answer to one question: labels of its options, words of one's own, or (with several choices) both. */
export const QuestionAnswer = z.strictObject({
  id: z.string(),
  selected: z.array(z.string()),
  custom: z.string().max(20_000).optional(),
});
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;

/** How a set of questions ended; `dismissed` = the person would rather not answer, `cancelled` = the turn was stopped. */
export type QuestionOutcome =
  | { kind: 'answered'; answers: QuestionAnswer[] }
  | { kind: 'dismissed' }
  | { kind: 'cancelled' };

/** What is wrong with a set of questions, or nothing. */
export function checkQuestions({ questions, intent }: QuestionRequest): string | undefined {
  const ids = new Set<string>();
  for (const [index, { id, question, options = [] }] of questions.entries()) {
    const place = `questions[${index}]`;
    if (id.trim() === '') return `${place}.id must be a non-empty string`;
    if (ids.has(id)) return `${place}.id "${id}" occurs twice`;
    if (question.trim() === '') return `${place}.question must be a non-empty string`;
    const labels = options.map(({ label }) => label);
    if (labels.some((label) => label.trim() === '')) return `${place}.options: a label must be a non-empty string`;
    if (new Set(labels).size < labels.length) return `${place}.options: a label occurs twice`;
    ids.add(id);
  }
  if (intent === undefined) return undefined;
  if (intent.detail.trim() === '') return 'intent.detail must be a non-empty string';
  const known = questions.some(({ options = [] }) => options.some(({ label }) => label === intent.approve));
  return known ? undefined : `intent.approve "${intent.approve}" is no option of its questions`;
}

/** Why answers do not fit their questions, naming the field; nothing when they do. */
export function checkAnswers(questions: readonly Question[], answers: readonly QuestionAnswer[]): string | undefined {
  const asked = new Map(questions.map((question) => [question.id, question]));
  const seen = new Set<string>();
  for (const [index, answer] of answers.entries()) {
    const question = asked.get(answer.id);
    if (!question) return `answers[${index}].id "${answer.id}" is no question that waits`;
    if (seen.has(answer.id)) return `answers[${index}].id "${answer.id}" is answered twice`;
    seen.add(answer.id);
    const problem = checkAnswer(question, answer);
    if (problem !== undefined) return `answers[${index}].${problem}`;
  }
  const missing = questions.filter(({ id }) => !seen.has(id)).map(({ id }) => `"${id}"`);
  return missing.length > 0 ? `answers: nothing for ${missing.join(', ')}; all are answered together` : undefined;
}

function checkAnswer({ options = [], multi_select: several = false }: Question, answer: QuestionAnswer) {
  const { selected, custom } = answer;
  const labels = new Set(options.map(({ label }) => label));
  const unknown = selected.find((label) => !labels.has(label));
  if (unknown !== undefined) return `selected: "${unknown}" is no option`;
  if (new Set(selected).size < selected.length) return 'selected: a label occurs twice';
  if (custom?.trim() === '') return 'custom must be a non-empty string when given';
  const parts = selected.length + (custom === undefined ? 0 : 1);
  if (parts === 0) return 'selected: choose an option, or answer in "custom"';
  return several || parts === 1 ? undefined : 'selected: one option or "custom", not several';
}
