import {
  discardPrompt,
  readPrompt,
  readSession,
  readTurnEnd,
  unwrittenPrompts,
  type Database,
} from '@everturn/core/postgres';
import type { FiringState, PromptStateInput } from '../../contract/index.ts';
import type { Courier } from '../children/courier.ts';
import { messageOf, type SendPrompt } from './send-prompt.ts';

interface PromptStateDeps {
  database: Database;
  send: SendPrompt;
  courier: Pick<Courier, 'endedFromOutside'>;
}

/**
 * How far the message of a firing came. Its row does not hear of a turn that recovery ended, so the log is asked; and
 * where nobody is left who would take it up, the message is sent again, or given up.
 */
export async function promptState(deps: PromptStateDeps, input: PromptStateInput): Promise<FiringState> {
  const { database } = deps;
  const { tenant, session, withdrawn } = input;
  const prompt = await readPrompt(database, input);
  if (!prompt || prompt.state === 'discarded') return 'discarded';
  const { state, turn, entry } = prompt;
  if (state === 'done') return 'done';
  // One that its turn died over is tried again.
  const unwritten = (await unwrittenPrompts(database, input)).some(({ promptId }) => promptId === input.promptId);
  if (!unwritten && turn !== undefined && (await readTurnEnd(database, { tenant, session, turn }))) return 'done';
  const life = await lifeOf(deps, input);
  if (life === 'runs') return 'waiting';
  // The next life of the session will end this turn; it does not run any more.
  if (!unwritten) return 'done';
  if (life === 'gone' && !withdrawn) {
    await deps.send({ tenant, session }, messageOf(entry));
    return 'waiting';
  }
  await discardPrompt(database, input);
  return 'discarded';
}

async function lifeOf(
  { database, courier }: PromptStateDeps,
  { tenant, session }: PromptStateInput,
): Promise<'runs' | 'over' | 'gone'> {
  const row = await readSession(database, { tenant, session });
  if (!row || row.status === 'closed' || row.status === 'broken') return 'over';
  return (await courier.endedFromOutside(session)) ? 'gone' : 'runs';
}
