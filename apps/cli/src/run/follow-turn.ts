import type { SessionEvent } from '@everturn/core/domain';
import { isOutage, type ApiClient } from '../platform/api-client.ts';
import { CliError } from '../platform/cli-error.ts';
import { Event, RequestOutcome, sessionPath, StatusFrame } from '../platform/api-shapes.ts';
import { followEvents, type Frame } from '../platform/follow-events.ts';
import { emptyOutcome, foldOutcome, type RunOutcome } from '../view/run-outcome.ts';

/** Who watches a turn; must not throw. */
export interface TurnWatcher {
  show(event: SessionEvent): void;
  reconnecting(): void;
}

export interface FollowTurnInput {
  api: ApiClient;
  session: string;
  promptId: string;
  /** The last seq before the prompt; -1 = a new session. */
  after: number;
  watcher: TurnWatcher;
  /** Asked for again when it is raised: whether the prompt was dropped before any turn took it. */
  cancelled?: AbortSignal;
}

/**
 * Follows a session until the turn that took a prompt has ended, and answers what it came to. Everything in between is
 * shown, other turns included. Throws `CLI_REFUSED` when the prompt will never get a turn.
 */
export async function followTurn(input: FollowTurnInput): Promise<RunOutcome> {
  const { api, session, after, watcher } = input;
  const done = new AbortController();
  const turn = new OwnTurn(input);
  // A cancel that drops a waiting prompt writes no event, so nothing in the stream would tell.
  const onCancelled = () => void turn.check().catch((error: unknown) => done.abort(error));
  input.cancelled?.addEventListener('abort', onCancelled);
  try {
    const following = followEvents({
      api,
      path: sessionPath(session, 'events'),
      signal: done.signal,
      ...(after >= 0 && { lastEventId: String(after) }),
    });
    for await (const followed of following) {
      if (followed.kind === 'reconnecting') watcher.reconnecting();
      else if (followed.frame.id === undefined) await turn.told(followed.frame);
      else if (await turn.happened(readEvent(followed.frame))) return turn.outcome;
    }
    throw done.signal.reason;
  } finally {
    input.cancelled?.removeEventListener('abort', onCancelled);
    done.abort();
  }
}

/** Knows which turn is ours as soon as anybody does, and adds up what it does. */
class OwnTurn {
  outcome: RunOutcome = emptyOutcome();
  readonly #input: FollowTurnInput;
  #number: number | undefined;
  #open: number | undefined;

  constructor(input: FollowTurnInput) {
    this.#input = input;
  }

  /** Takes an event in; whether it ended our turn. */
  async happened(event: SessionEvent): Promise<boolean> {
    if (event.type === 'turn/start') {
      this.#open = event.data.turn;
      this.#number ??= await this.check();
    }
    if (event.type === 'turn/end') this.#number ??= await this.check();
    this.#input.watcher.show(event);
    if (this.#open === undefined || this.#open !== this.#number) return false;
    this.outcome = foldOutcome(this.outcome, event);
    return event.type === 'turn/end';
  }

  /** Takes in what is told beside the log: a session that rests without having run our prompt may never run it. */
  async told({ event, data }: Frame): Promise<void> {
    if (event !== 'agent/status' || this.#number !== undefined) return;
    const { status } = StatusFrame.parse(JSON.parse(data));
    if (status !== 'running' && status !== 'starting') this.#number ??= await this.check();
  }

  /** Asks for the prompt's turn; throws when it will get none. */
  async check(): Promise<number | undefined> {
    const { api, session, promptId } = this.#input;
    const path = sessionPath(session, `requests/${encodeURIComponent(promptId)}`);
    const { outcome, code, message, prompt } = await api.json({ path }, RequestOutcome).catch((error: unknown) => {
      // The stream tells when the API is back, and this is asked again.
      if (isOutage(error))
        return { outcome: 'pending' as const, code: undefined, message: undefined, prompt: undefined };
      throw error;
    });
    if (outcome === 'refused')
      throw refused(`${code ?? 'refused'}: ${message ?? 'the session did not take the prompt'}`);
    if (prompt?.state === 'discarded' && prompt.turn === undefined)
      throw refused('the prompt was dropped before its turn');
    return prompt?.turn;
  }
}

function readEvent({ data }: Frame): SessionEvent {
  return Event.parse(JSON.parse(data));
}

function refused(what: string): CliError {
  return new CliError({ code: 'CLI_REFUSED', what, remedy: 'send it again with `run --session <id>`' });
}
