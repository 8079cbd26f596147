import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { text, textOf, type ContentBlock, type MessageSource, type RequestId } from '@everturn/core/domain';
import {
  acceptPrompt,
  inlineOrStore,
  noteSentRequest,
  readSession,
  unclaimedPrompts,
  type Database,
  type SessionRow,
} from '@everturn/core/postgres';
import {
  SESSION_WORKFLOW,
  sessionWorkflowId,
  taskQueues,
  WORKFLOW_TASK_TIMEOUT_MS,
  type CancelRequest,
  type InjectContext,
  type SessionInput,
  type SessionMessageName,
  type SessionOptions,
  type SubmitPrompt,
} from '@everturn/core/protocol';
import {
  PluginError,
  type AgentHandle,
  type AgentHandles,
  type AgentKey,
  type HandleContent,
} from '../plugins/index.ts';

export interface AgentHandlesInput {
  database: Database;
  client: Client;
  /** Prefix of the task queues. */
  queues: string;
}

const INLINE_CONTENT_BYTES = 2 * 1024;
const PREVIEW_CHARACTERS = 120;
const LOOK_EVERY_MS = 250;
const DEFAULT_SOURCE: MessageSource = { kind: 'plugin', plugin: 'agent-handle' };

/** Sessions for plugins. Signals, not updates: a listener may speak to the very session that waits for it. */
export function agentHandles(input: AgentHandlesInput): AgentHandles {
  const newId = () => randomUUID() as string as RequestId;
  return (key, nextId = newId) => handleOf(input, key, nextId);
}

function handleOf(input: AgentHandlesInput, key: AgentKey, nextId: () => RequestId): AgentHandle {
  const { database } = input;
  const submit = async (
    mode: 'send' | 'steer',
    content: HandleContent,
    more: Parameters<AgentHandle['send']>[1] = {},
  ) => {
    const { requestId = nextId(), source = DEFAULT_SOURCE } = more;
    await open(database, key);
    const kept = await keep(database, key, content);
    await acceptPrompt(database, { ...key, mode, entry: { requestId, kind: 'prompt', source, ...kept } });
    await tell(input, key, 'submitPrompt', { requestId, mode, source, ...kept });
    return requestId;
  };
  return {
    id: key.session,
    tenant: key.tenant,
    // As they were checked when the session was created.
    options: async () => (await known(database, key)).options as unknown as SessionOptions,
    status: async () => (await known(database, key)).status,
    send: (content, message) => submit('send', content, message),
    steer: (content, message) => submit('steer', content, message),
    async inject(content, { requestId = nextId(), source = DEFAULT_SOURCE, meta } = {}) {
      await open(database, key);
      const { preview, content: kept } = await keep(database, key, content);
      const context: InjectContext = { requestId, source, content: kept, ...(meta !== undefined && { meta }) };
      await acceptPrompt(database, { ...key, mode: 'inject', entry: { ...context, kind: 'injection', preview } });
      await tell(input, key, 'inject', context);
      return requestId;
    },
    async cancel() {
      const requestId = nextId();
      const row = await readSession(database, key);
      if (!row || hasEnded(row)) return;
      await noteSentRequest(database, { ...key, requestId, kind: 'cancel' });
      await tell(input, key, 'cancel', { requestId, cause: 'user', queue: 'clear' });
    },
    async whenIdle({ signal } = {}) {
      while (!(await isQuiet(database, key))) await pause(LOOK_EVERY_MS, undefined, { ...(signal && { signal }) });
    },
  };
}

async function keep(database: Database, { tenant }: AgentKey, content: HandleContent) {
  const blocks: ContentBlock[] = typeof content === 'string' ? [text(content)] : [...content];
  if (blocks.length === 0) throw new PluginError('PLUGIN_INVALID', 'content: a message needs at least one block.');
  return {
    content: await inlineOrStore(database, tenant, blocks, INLINE_CONTENT_BYTES),
    preview: textOf(blocks).slice(0, PREVIEW_CHARACTERS).toWellFormed(),
  };
}

async function tell(
  { client, queues }: AgentHandlesInput,
  { tenant, session }: AgentKey,
  signal: SessionMessageName,
  message: SubmitPrompt | InjectContext | CancelRequest,
): Promise<void> {
  const start: SessionInput = { session, tenant, queues, intent: 'open' };
  await client.workflow.signalWithStart(SESSION_WORKFLOW, {
    workflowId: sessionWorkflowId(session),
    taskQueue: taskQueues(queues).main,
    args: [start],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
    signal,
    signalArgs: [message],
  });
}

async function known(database: Database, key: AgentKey): Promise<SessionRow> {
  const row = await readSession(database, key);
  if (row) return row;
  throw new PluginError('PLUGIN_SESSION_ENDED', `there is no session "${key.session}".`);
}

async function open(database: Database, key: AgentKey): Promise<void> {
  const row = await known(database, key);
  if (hasEnded(row)) throw new PluginError('PLUGIN_SESSION_ENDED', `session "${key.session}" is ${row.status}.`);
}

const hasEnded = ({ status }: SessionRow): boolean => status === 'closed' || status === 'broken';

async function isQuiet(database: Database, key: AgentKey): Promise<boolean> {
  const row = await readSession(database, key);
  if (!row || hasEnded(row)) return true;
  return row.status === 'idle' && row.queueLength === 0 && (await unclaimedPrompts(database, key)).length === 0;
}
