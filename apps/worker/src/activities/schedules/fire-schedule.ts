import { createHash } from 'node:crypto';
import { text, type MessageEntry, type RequestId, type SessionHeader, type SessionId } from '@everturn/core/domain';
import {
  acceptPrompt,
  inlineOrStore,
  readPrompt,
  readSession,
  startSessionRow,
  type Database,
} from '@everturn/core/postgres';
import type { FiringInput, SubmitPrompt } from '@everturn/core/protocol';
import type { FireScheduleResult, ScheduledRunActivities } from '../../contract/index.ts';
import { failingAs } from '../failure.ts';

/** Content above this many bytes travels through Temporal by reference. */
const INLINE_CONTENT_BYTES = 2 * 1024;

/** Brings a message to a session's workflow, which is started if it does not run. */
export type SendPrompt = (
  session: Pick<FiringInput, 'tenant'> & { session: SessionId },
  message: SubmitPrompt,
) => Promise<void>;

export interface ScheduleDeps {
  database: Database;
  send: SendPrompt;
}

/** Makes what firings of schedules do. Each step may be repeated: ids are made of the firing, and rows come first. */
export function scheduledRunActivities({ database, send }: ScheduleDeps): ScheduledRunActivities {
  return {
    fireSchedule: (input) => failingAs(() => fire({ database, send }, input)),
    promptState: (input) =>
      failingAs(async () => {
        const state = (await readPrompt(database, input))?.state;
        return { state: state === 'done' || state === 'discarded' ? state : 'waiting' };
      }),
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
  const { content, source, preview } = entry;
  await send(key, { requestId: promptId, mode: 'send', content, source, preview });
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
