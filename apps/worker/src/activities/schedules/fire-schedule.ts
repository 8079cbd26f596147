import { createHash } from 'node:crypto';
import { text, type MessageEntry, type RequestId, type SessionHeader, type SessionId } from '@everturn/core/domain';
import { acceptPrompt, inlineOrStore, readSession, startSessionRow, type Database } from '@everturn/core/postgres';
import type { FiringInput } from '@everturn/core/protocol';
import type { FireScheduleResult, ScheduledRunActivities } from '../../contract/index.ts';
import type { Courier } from '../children/courier.ts';
import { failingAs } from '../failure.ts';
import { promptState } from './prompt-state.ts';
import { messageOf, type SendPrompt } from './send-prompt.ts';

/** Content above this many bytes travels through Temporal by reference. */
const INLINE_CONTENT_BYTES = 2 * 1024;

export interface ScheduleDeps {
  database: Database;
  send: SendPrompt;
  courier: Pick<Courier, 'endedFromOutside'>;
}

/** Makes what firings of schedules do. Each step may be repeated: ids are made of the firing, and rows come first. */
export function scheduledRunActivities(deps: ScheduleDeps): ScheduledRunActivities {
  return {
    fireSchedule: (input) => failingAs(() => fire(deps, input)),
    promptState: (input) => failingAs(async () => ({ state: await promptState(deps, input) })),
  };
}

async function fire({ database, send }: ScheduleDeps, input: FiringInput): Promise<FireScheduleResult> {
  const { tenant, definition, firing } = input;
  const digest = createHash('sha256').update(`${tenant}\0${firing}`).digest('hex').slice(0, 32);
  const session = definition.session ?? (`ses-${digest}` as SessionId);
  const key = { tenant, session };
  if (definition.session === undefined) await startSessionRow(database, { ...key, ...newSession(input, session) });
  const row = await readSession(database, key);
  if (!row) return refused('SESSION_NOT_FOUND', `no session "${session}"`);
  if (row.header.origin === 'subagent')
    return refused('AGENT_BUSY', `session "${session}" is an agent that works for another one`);
  if (row.status === 'closed') return refused('SESSION_CLOSED', `session "${session}" is closed; resume it`);
  if (row.status === 'broken') return refused('SESSION_BROKEN', `session "${session}" is broken; resume it`);
  const promptId = `schedule.${digest}` as RequestId;
  const entry: MessageEntry = {
    requestId: promptId,
    kind: 'prompt',
    content: await inlineOrStore(database, tenant, [text(definition.prompt)], INLINE_CONTENT_BYTES),
    source: { kind: 'user', rpcId: firing },
    preview: previewOf(input),
  };
  await acceptPrompt(database, { ...key, mode: 'send', entry });
  await send(key, messageOf(entry));
  return { kind: 'sent', session, promptId };
}

function newSession(input: FiringInput, id: SessionId) {
  const { workspace, ...options } = input.definition.create ?? {};
  const header: SessionHeader = {
    version: 0,
    id,
    createdAt: Date.now(),
    ...(workspace !== undefined && { cwd: workspace }),
  };
  const { model, metadata = {} } = options;
  return {
    header,
    options,
    metadata: { ...metadata, schedule: input.schedule },
    preview: previewOf(input),
    ...(model !== undefined && { model }),
  };
}

const previewOf = ({ definition }: FiringInput): string =>
  Array.from(definition.prompt.replaceAll(/\s+/g, ' ')).slice(0, 80).join('');

const refused = (code: string, message: string): FireScheduleResult => ({ kind: 'refused', code, message });
