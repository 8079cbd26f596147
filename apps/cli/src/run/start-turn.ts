import { randomUUID } from 'node:crypto';
import type { ApiClient } from '../platform/api-client.ts';
import { CreatedSession, EventPage, PromptReceipt, sessionPath, SessionDetails } from '../platform/api-shapes.ts';
import { CliError } from '../platform/cli-error.ts';

/** A prompt on its way to its turn. */
export interface StartedTurn {
  session: string;
  promptId: string;
  /** The last seq before it. */
  after: number;
  /** The run in the Temporal UI, where the API knows it. */
  temporalUrl?: string | undefined;
}

export interface NewTurnInput {
  api: ApiClient;
  /** Chosen by us, so that the request can be repeated. */
  session: string;
  prompt: string;
  workspace?: string | undefined;
  provider?: string | undefined;
  model?: string | undefined;
  toolsets?: string[] | undefined;
}

/** Creates a session with its first prompt. */
export async function startNewSession({ api, session, prompt, ...options }: NewTurnInput): Promise<StartedTurn> {
  const body = { id: session, prompt, ...options };
  const request = { method: 'POST' as const, path: '/v1/sessions', body, idempotencyKey: randomUUID() };
  const created = await api.json(request, CreatedSession);
  const promptId = created.prompt?.promptId;
  if (promptId === undefined) {
    throw new CliError({
      code: 'CLI_BAD_ANSWER',
      what: 'the API created the session without its prompt',
      remedy: `send it with \`run --session ${session} "…"\``,
    });
  }
  return { session, promptId, after: -1, temporalUrl: created.links['temporal'] };
}

/** Sends a prompt to a session that exists, and says where its workspace is. */
export async function startInSession(input: {
  api: ApiClient;
  session: string;
  prompt: string;
}): Promise<StartedTurn & { workspace?: string | undefined }> {
  const { api, session, prompt } = input;
  const state = await api.json({ path: sessionPath(session) }, SessionDetails);
  const { head } = await api.json(
    { path: sessionPath(session, 'events'), query: { limit: '1', chunks: 'false' } },
    EventPage,
  );
  const request = {
    method: 'POST' as const,
    path: sessionPath(session, 'prompts'),
    body: { content: prompt },
    idempotencyKey: randomUUID(),
  };
  const { promptId } = await api.json(request, PromptReceipt);
  return { session, promptId, after: head, temporalUrl: state.links['temporal'], workspace: state.workspace };
}
