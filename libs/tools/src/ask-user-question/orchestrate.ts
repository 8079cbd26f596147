import { text } from '@everturn/core/domain';
import { askPerson, orchestrateTool, ToolError } from '../kit/index.ts';
import { askUserQuestion } from './schema.ts';

/** The answers as JSON; the call stays open until they are there. */
export const orchestrateAskUserQuestion = orchestrateTool(askUserQuestion, async ({ questions }, context) => {
  if (questions.length === 0) throw new ToolError('EMPTY_QUESTIONS', 'questions must hold at least one question');
  const answers = await askPerson(context, { questions });
  return { events: [], output: { content: [text(JSON.stringify({ answers }))] } };
});
