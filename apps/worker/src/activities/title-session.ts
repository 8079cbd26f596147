import { Context } from '@temporalio/activity';
import {
  settingsOf,
  TITLE_SETTINGS,
  TITLE_TIMEOUT_MS,
  titleOf,
  titleRequest,
  type EpochHeader,
  type JsonObject,
  type JsonValue,
  type LlmCallConfig,
  type LlmFailure,
  type TitlePolicy,
} from '@everturn/core/domain';
import { readSettings, readTitleMaterial } from '@everturn/core/postgres';
import {
  recorded,
  titleOutcome,
  type AskTitleInput,
  type Commit,
  type PlanTitleInput,
  type PlanTitleResult,
  type TitleActivities,
  type TitleOutcome,
} from '../contract/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import type { PerformInput } from './effects/effect.ts';
import { failingAs } from './failure.ts';
import { keepBeating } from './heartbeat.ts';
import { withPluginModels } from './context/with-plugin-models.ts';
import { collectAnswer } from './streaming/collect-answer.ts';
import { awaitRouteTurn, countTokens } from './streaming/route-turn.ts';
import { wrappedSource } from './streaming/wrapped-source.ts';

/** What holds of titles: the deployment's word, or the tenant's. */
export function titlePolicy(
  { titles: { cadence, route } }: Pick<ActivityDeps, 'titles'>,
  user?: JsonObject,
): TitlePolicy {
  const settings = settingsOf(TITLE_SETTINGS, { base: { cadence, ...route }, ...(user && { user }) });
  return settings as TitlePolicy; // its schema has just said so
}

/** Titles that models write. */
export function titleActivities(everything: ActivityDeps): TitleActivities {
  return {
    planTitle: (input) =>
      failingAs(async () => {
        const stopBeating = keepBeating(Context.current(), () => undefined);
        try {
          return await plan(everything, input);
        } finally {
          stopBeating();
        }
      }),
    askTitle: (input) =>
      failingAs(async () => {
        const deps = withPluginModels(everything, input);
        const { claim, request } = input;
        const { provider } = request.route;
        await awaitRouteTurn(deps, { provider, claim, input: { ...input, commit: NOTHING } });
        const { outcome } = await deps.effects.run<JsonValue>({
          ...input,
          label: 'title',
          perform: async (held) => ({ kind: 'settled', outcome: recorded(await ask(deps, input, held)) }),
          // A title is not worth buying twice.
          afterLapse: () => recorded(failed('TRANSPORT', 'the worker that asked for the title was lost')),
          closed: () => recorded(failed('ABORTED', 'nobody waits for the title any more')),
        });
        return { outcome: titleOutcome(outcome) };
      }),
  };
}

async function plan(deps: ActivityDeps, input: PlanTitleInput): Promise<PlanTitleResult> {
  const { user } = await readSettings(deps.database, { tenant: input.tenant, namespace: TITLE_SETTINGS });
  const { cadence, provider: asked, model: which } = titlePolicy(deps, user);
  if (cadence === 'off') return {};
  const header = await deps.values.resolve<EpochHeader>(input.tenant, input.header);
  const { said, titledBy } = await readTitleMaterial(deps.database, { ...input, upTo: input.message });
  if (titledBy === 'user') return {};
  const { provider, model } =
    asked !== undefined && which !== undefined ? { provider: asked, model: which } : header.config;
  const request = titleRequest(cadence === 'first-prompt' ? said.slice(-1) : said, { provider, model });
  return request ? { request } : {};
}

async function ask(deps: ActivityDeps, input: AskTitleInput, { signal }: PerformInput): Promise<TitleOutcome> {
  const { tenant, session, turn, step, request } = input;
  const inTime = AbortSignal.timeout(TITLE_TIMEOUT_MS);
  const either = AbortSignal.any([signal, inTime]);
  const answer = await collectAnswer({
    source: wrappedSource(deps.llm, {
      listeners: deps.registry.view(input).listeners('llm/stream'),
      context: { initiator: { tenant, session, turn, step }, signal: either },
      limitMs: deps.listenerTimeoutMs,
    }),
    options: Object.freeze({
      ...samplingOf(request.route),
      system: request.system,
      messages: request.messages,
      maxTokens: request.maxTokens,
      tenant,
      sessionId: session,
      purpose: 'session-title' as const,
      signal: either,
    }),
    onChunk: () => undefined,
  });
  if (answer.kind === 'interrupted')
    return inTime.aborted
      ? failed('SESSION_TITLE_TIMEOUT', `no title came within ${TITLE_TIMEOUT_MS / 1_000} seconds`)
      : failed('ABORTED', 'nobody waits for the title any more');
  await countTokens(deps, { provider: request.route.provider, tenant, usage: answer.usage });
  if (answer.kind === 'failure') return answer;
  const usage = answer.usage && { usage: answer.usage };
  const found = titleOf(answer.content);
  return 'title' in found ? { kind: 'title', ...found, ...usage } : { kind: 'failure', ...found, ...usage };
}

const NOTHING: Commit = { events: [], highestAcknowledged: -1 };

/** A title needs no thought, and none of the sampling of the conversation. */
const samplingOf = ({ provider, model }: LlmCallConfig): LlmCallConfig => ({ provider, model });

const failed = (code: LlmFailure['code'], message: string): TitleOutcome => ({
  kind: 'failure',
  failure: { code, message },
});
