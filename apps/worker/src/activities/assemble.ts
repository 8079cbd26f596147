import { isDeepStrictEqual } from 'node:util';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { readHost, readSessionStanding } from '@everturn/core/postgres';
import {
  DEFAULT_RETRY,
  PROMPT_SETTINGS,
  settingsOf,
  SHELL_SETTINGS,
  TITLE_SETTINGS,
  type HostId,
  type JsonObject,
  type Message,
  type PromptPolicy,
  type RepeatSettings,
  type ShellLimits,
} from '@everturn/core/domain';
import { TEAM_TOOLSET, workflowSettings, type ToolSettings } from '@everturn/tools/kit';
import type { AssembleInput, AssembleResult, Assembly, Offer } from '../contract/index.ts';
import type { RegistryView } from '../plugins/index.ts';
import { commit, ProjectionError } from '../projection/index.ts';
import type { ActivityDeps } from './activity-deps.ts';
import { chooseConfig } from './assemble/choose-config.ts';
import { composeHeader } from './assemble/compose-header.ts';
import { describePlan, describeTools } from './assemble/describe-tools.ts';
import { withOutput } from './assemble/with-output.ts';
import { rememberCommands } from './context/remember-commands.ts';
import type { SessionFacts } from './context/session-facts.ts';
import { choiceOf } from './context/session-view.ts';
import { withPluginModels } from './context/with-plugin-models.ts';
import { isAway } from './effects/retry.ts';
import { codeOf, describeFailure, failingAs } from './failure.ts';
import { keepBeating } from './heartbeat.ts';
import { titlePolicy } from './title-session.ts';
import { ownFolder } from './tools/working-folder.ts';
import { namesCalledFor, workspaceNews, type FoundNews } from './workspace/workspace-news.ts';

type Assembled = AssembleResult extends infer R ? (R extends AssembleResult ? Omit<R, 'acks'> : never) : never;

/** Composes system prompt, tools and sampling into a stored header. */
export function assembleActivity(everything: ActivityDeps) {
  return (input: AssembleInput): Promise<AssembleResult> =>
    failingAs(async () => {
      const deps = withPluginModels(everything, input);
      const stopBeating = keepBeating(Context.current(), () => undefined);
      try {
        const { acks } = await commit(deps.projection, input);
        return { ...(await compose(deps, input)), acks } as AssembleResult;
      } finally {
        stopBeating();
      }
    });
}

async function compose(deps: ActivityDeps, input: AssembleInput): Promise<Assembled> {
  const facts = await deps.facts.read(input);
  const chosen = await chooseConfig(deps, facts.options, input);
  if (chosen.kind === 'refused') return { kind: 'failed', code: chosen.code, message: chosen.message };
  try {
    const view = withOutput(deps.registry.view(input, choiceOf(facts.options, deps)), facts.options);
    const context = {
      initiator: { tenant: input.tenant, session: input.session, turn: 0, step: 0 },
      signal: new AbortController().signal,
    };
    await rememberCommands(deps, input);
    const enforcement = facts.options.planEnforcement ?? deps.plan.enforcement;
    const { host, settings, skills: kept } = await standingOf(deps, input);
    const told = promptPolicy(deps, settings[PROMPT_SETTINGS]);
    const shell = shellLimits(deps, settings[SHELL_SETTINGS]);
    const found = await newsOf(deps, {
      ask: input,
      facts,
      view,
      told,
      ...(host && { host }),
      ...(kept !== undefined && { kept }),
    });
    const prefix = input.prefix ? await deps.values.resolve<Message[]>(input.tenant, input.prefix) : found.prefix;
    const header = await composeHeader({
      facts,
      view,
      config: chosen.config,
      prefix: prefix ?? [],
      context,
      ...(told.persona !== undefined && { persona: told.persona }),
      ...(shell && { shell }),
      delegation: { rows: deps.settings.delegation, providers: deps.subagentProviders },
      ...(deps.toolOrder && { toolOrder: deps.toolOrder }),
      ...(input.permissions && { permissions: input.permissions }),
      ...(input.plan && { plan: { text: deps.plan.prompt, enforcement } }),
    });
    const offer: Offer = {
      tools: describeTools(view, header, facts.options.delegation?.outputSchema),
      settings: workflowSettings(deps.settings),
    };
    const [reference, offered] = await Promise.all([
      deps.values.store(input.tenant, header),
      deps.values.store(input.tenant, offer),
    ]);
    const assembly: Assembly = {
      header: reference,
      digest: reference.$blob,
      config: chosen.config,
      ...(prefix && prefix.length > 0 && { prefix: input.prefix ?? found.news?.prefix ?? prefix }),
      registry: view.version,
      offer: offered,
      ...(view.toolsMode !== 'native' && { toolsMode: view.toolsMode }),
      listeners: [...view.listenedPoints],
      ...(view.machinePoints.length > 0 && { machinePoints: [...view.machinePoints] }),
      ...(view.hooks.length > 0 && { hooks: [...view.hooks] }),
      ...(facts.header.cwd !== undefined && { cwd: facts.header.cwd }),
      maxParallelToolCalls: deps.maxParallelToolCalls,
      ...(input.plan && { plan: describePlan(view, enforcement) }),
      repeatReminder: withoutAbsent(deps.settings.repeatReminder),
      ...(!isDeepStrictEqual(deps.retry, DEFAULT_RETRY) && { retry: deps.retry }),
      ...titlesOf(deps, facts, settings),
      ...teamPlace(view, facts),
      ...(host && { host }),
      ...(shell && { shell }),
    };
    const { news, elsewhere } = found;
    return { kind: 'assembled', assembly, ...(news && { workspace: news }), ...(elsewhere && { elsewhere }) };
  } catch (error) {
    if (isAway(error) || error instanceof ApplicationFailure || error instanceof ProjectionError) throw error;
    return { kind: 'failed', code: codeOf(error) ?? 'ASSEMBLY_FAILED', message: describeFailure(error) };
  }
}

/** What holds of prompts: the deployment's word, or the tenant's. */
function promptPolicy({ instructionsBytes }: ActivityDeps, user: JsonObject | undefined): PromptPolicy {
  const settings = settingsOf(PROMPT_SETTINGS, { base: { instructionsBytes }, ...(user && { user }) });
  return settings as PromptPolicy; // its schema has just said so
}

/** What the tenant lets commands take, where it says anything. */
function shellLimits({ settings }: ActivityDeps, user: JsonObject = {}): ShellLimits | undefined {
  if (Object.keys(user).length === 0) return undefined;
  const { enableRunInBackground: _, ...base } = settings.shell;
  return settingsOf(SHELL_SETTINGS, { base, user }) as ShellLimits; // its schema has just said so
}

/** Agents that work for others, and forks, are named by whoever made them, once and for all. */
function titlesOf(
  deps: ActivityDeps,
  { header }: SessionFacts,
  settings: Record<string, JsonObject>,
): Pick<Assembly, 'titles'> {
  const { cadence } = titlePolicy(deps, settings[TITLE_SETTINGS]);
  if (cadence === 'off' || header.origin === 'subagent') return {};
  return cadence === 'first-prompt' && header.parentSession !== undefined ? {} : { titles: cadence };
}

/** The team it belongs to, by its parent's word, or leads, as whoever works for nobody can. */
function teamPlace({ tools }: RegistryView, { header, options }: SessionFacts): Pick<Assembly, 'team'> {
  if (![...tools.values()].some(({ definition }) => definition.toolset === TEAM_TOOLSET)) return {};
  const lead = options.delegation?.team?.lead ?? (header.origin === 'subagent' ? undefined : header.id);
  return lead === undefined ? {} : { team: { lead } };
}

const withoutAbsent = ({ include, ...rest }: ToolSettings['repeatReminder']): RepeatSettings => ({
  ...rest,
  ...(include && { include }),
});

interface NewsQuestion {
  ask: AssembleInput;
  facts: SessionFacts;
  view: RegistryView;
  told: PromptPolicy;
  host?: { host: HostId };
  kept?: string;
}

/** What the session's folder says, or that it has to be asked on another machine. */
async function newsOf(
  deps: ActivityDeps,
  { ask, facts, view, told: { instructionsBytes }, host, kept }: NewsQuestion,
): Promise<Partial<FoundNews> & { elsewhere?: true }> {
  if (ask.news === 'skip') return {};
  const own = deps.machine?.host.id;
  const mayBeHere = own !== undefined && (!host || host.host === own);
  // A session without a workspace has the skills of the deployment and of plugins all the same.
  const cwd = facts.header.cwd ?? ownFolder(ask, deps.home);
  const here = mayBeHere && (facts.header.cwd === undefined || (await deps.ports.project.isHere(cwd)));
  const calledFor = await namesCalledFor(deps, ask);
  const offersSkills = view.tools.has('skill');
  const known = kept === undefined ? {} : { kept };
  if (here || ask.here) return workspaceNews(deps, { ask, cwd, calledFor, offersSkills, instructionsBytes, ...known });
  const wanted = !ask.prefix || ask.skills !== undefined || calledFor.length > 0;
  return wanted ? { elsewhere: true } : {};
}

/** The machine the session is bound to, at its present epoch, what its tenant says, and which skills people are shown. */
async function standingOf(
  { database }: ActivityDeps,
  { tenant, session }: AssembleInput,
): Promise<{ host?: { host: HostId; epoch: number }; settings: Record<string, JsonObject>; skills?: string }> {
  const { host: bound, ...standing } = await readSessionStanding(database, { tenant, session });
  const host = bound !== undefined && (await readHost(database, bound as HostId));
  return { ...(host && { host: { host: host.id, epoch: host.epoch } }), ...standing };
}
