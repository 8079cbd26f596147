import {
  hookPayload,
  matchedBy,
  mergeHookVerdicts,
  stderrSummary,
  type HookDialect,
  type HookEventName,
  type HookSubject,
  type MergedVerdict,
} from '@everturn/core/domain';
import { recorded } from '../../contract/index.ts';
import type { Initiator, ListenerContext } from '../listeners.ts';
import { PluginError } from '../plugin-error.ts';
import type { ListenPoint } from '../points.ts';
import type { HookAnswer, HookHandler } from './hook-handler.ts';

/** What hooks are told of a session. */
export interface HookPlace {
  /** Absolute. */
  cwd: string;
  model: string;
}

export interface ExternalHooksInput {
  handlers: readonly HookHandler[];
  placeOf(initiator: Initiator): Promise<HookPlace>;
}

/** The external hooks of a deployment: which are meant, what they say together, and what the log tells of each. */
export class ExternalHooks {
  readonly #input: ExternalHooksInput;

  constructor(input: ExternalHooksInput) {
    this.#input = input;
  }

  /** The hooks of one event. */
  of(event: HookEventName): HookHandler[] {
    return this.#input.handlers.filter((handler) => handler.event === event);
  }

  /**
   * Runs every hook that is meant, one after another; throws for one whose failure counts as that of a listener. What is
   * asked about may be one thing to hooks of one dialect and another to others.
   */
  async ask(
    point: ListenPoint,
    about: HookSubject | ((dialect: HookDialect) => HookSubject),
    context: ListenerContext,
  ): Promise<MergedVerdict> {
    const subjectFor = typeof about === 'function' ? about : () => about;
    const meant = this.#input.handlers.flatMap((handler) => {
      const subject = subjectFor(handler.dialect);
      const matched = matchedBy(subject);
      const isMeant = handler.event === subject.event && (matched === undefined || handler.matches(matched));
      return isMeant ? [{ handler, subject }] : [];
    });
    if (meant.length === 0) return mergeHookVerdicts([]);
    const place = await this.#input.placeOf(context.initiator);
    const answers: HookAnswer[] = [];
    for (const { handler, subject } of meant) {
      if (context.signal.aborted) break;
      answers.push(await this.#run(handler, point, subject, context, place));
    }
    const failed = answers.find(({ failure }) => failure !== undefined);
    if (failed?.failure !== undefined) throw new PluginError('PLUGIN_HOOK_FAILED', failed.failure);
    return mergeHookVerdicts(answers.map(({ verdict }) => verdict));
  }

  async #run(
    handler: HookHandler,
    point: ListenPoint,
    subject: HookSubject,
    { initiator, asked, signal }: ListenerContext,
    { cwd, model }: HookPlace,
  ): Promise<HookAnswer> {
    if (!asked) throw new TypeError(`external hooks cannot be run at ${point}`);
    const { session, turn } = initiator;
    const { dialect, event, matcher } = handler;
    const handlerId = `${handler.id}@${asked.place}`;
    const payload = hookPayload({ dialect, subject, session, cwd, turn, model });
    const kept = await asked.once(handler.id, {
      perform: async (own) => recorded(await handler.run({ event, payload, session, cwd, handlerId, signal: own })),
      lost: handler.lost === 'run-again' ? 'run-again' : recorded(handler.lost),
    });
    const answer = kept as unknown as HookAnswer; // under this name nobody else writes
    const { verdict, durationMs, exitCode, said } = answer;
    const summary = stderrSummary(said ?? '');
    asked.record({
      invoked: { turn, point, dialect, handlerId, ...(matcher !== undefined && { matcher }) },
      result: {
        turn,
        point,
        handlerId,
        decision: verdict.decision,
        durationMs,
        ...(exitCode !== undefined && { exitCode }),
        ...(summary !== undefined && { stderrSummary: summary }),
      },
    });
    signal.throwIfAborted();
    return answer;
  }
}
