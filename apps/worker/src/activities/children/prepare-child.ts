import {
  characterCut,
  checkDepth,
  FIRST_MESSAGE,
  memberGuidance,
  narrowTools,
  returnGuidance,
  text,
  type ContentBlock,
  type MessageEntry,
  type SessionHeader,
} from '@everturn/core/domain';
import { acceptPrompt, forkBoundary, inlineOrStore, readSession, startSessionRow } from '@everturn/core/postgres';
import type { SessionOptions } from '@everturn/core/protocol';
import type { PrepareChildInput, PrepareChildResult } from '../../contract/index.ts';
import { AGENTS_TOOLSET, TEAM_TOOLSET } from '@everturn/tools/kit';
import { PluginError, unsupported } from '../../plugins/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { agentOptions, refuseModel } from './child-model.ts';
import { INLINE_CONTENT_BYTES } from './inline-content.ts';
import { choiceOf } from '../context/session-view.ts';
import type { SessionFacts } from '../context/session-facts.ts';
import { withPluginModels } from '../context/with-plugin-models.ts';

/** Writes the row and the first prompt of a child, or says why there can be none; repeating it changes nothing. */
export async function prepareChild(deps: ActivityDeps, input: PrepareChildInput): Promise<PrepareChildResult> {
  const { tenant, session, child, row, label } = input;
  const unable = refuseUnsupported(deps, input);
  if (unable) return unable;
  const parent = await deps.facts.read(input);
  const drained = await refuseDrained(deps, input);
  if (drained) return drained;
  const depth = checkDepth({ header: parent.header.delegationDepth, maxDepth: row.maxDepth });
  if (depth.kind === 'refused') return { kind: 'refused', code: 'DELEGATION_DEPTH', message: depth.message };
  const unfit = refuseModel(withPluginModels(deps, input), input, parent);
  if (unfit !== undefined) return { kind: 'refused', code: 'MODEL_NOT_ALLOWED', message: unfit };
  const options = await optionsOf(deps, input, parent);
  const refusal = refuseUnknownTools(deps, input, options);
  if (refusal) return refusal;
  const preview = characterCut(label, 200);
  const seedLength = await seedFor(deps, input);
  const started = await startSessionRow(deps.database, {
    tenant,
    session: child,
    header: { ...headerOf(input, parent, depth.depth), ...(seedLength > 0 && { seedLength }) },
    options,
    preview,
    parent: session,
    ...(options.model !== undefined && { model: options.model }),
  });
  if (started.kind === 'foreign' || (started.kind === 'exists' && started.session.parent !== session))
    return { kind: 'refused', code: 'DUPLICATE_CHILD', message: `a session ${child} exists already` };
  const words = firstWords(input, await deps.values.resolve(tenant, input.prompt));
  const content = await inlineOrStore(deps.database, tenant, words, INLINE_CONTENT_BYTES);
  const source = { kind: 'agent-message', form: 'relay', senderSessionId: session } as const;
  const entry: MessageEntry = { requestId: FIRST_MESSAGE, kind: 'prompt', content, source, preview };
  await acceptPrompt(deps.database, { tenant, session: child, mode: 'send', entry });
  return { kind: 'prepared', preview, searchAttributes: deps.searchAttributes() };
}

/** The task, and what goes with it. */
function firstWords({ mode, session, teammate }: PrepareChildInput, prompt: string): ContentBlock[] {
  if (teammate !== undefined) return [text(memberGuidance(teammate)), text(prompt)];
  return mode === 'continuable' ? [text(prompt), text(returnGuidance(session))] : [text(prompt)];
}

/** Facts that never change; a repeated attempt finds the first one's. */
function headerOf({ session, child }: PrepareChildInput, { header }: SessionFacts, depth: number): SessionHeader {
  return {
    version: 0,
    id: child,
    createdAt: Date.now(),
    ...(header.cwd !== undefined && { cwd: header.cwd }),
    parentSession: session,
    origin: 'subagent',
    delegationDepth: depth,
  };
}

/** What the parent has, unless the tool's row says otherwise. */
async function optionsOf(
  { toolsets: usual, values }: ActivityDeps,
  input: PrepareChildInput,
  parent: SessionFacts,
): Promise<SessionOptions> {
  const { tenant, session, row, mode, label, config, sandbox, outputSchema, teammate, ...asked } = input;
  const { metadata: _, delegation: _own, permissions, tools, ...inherited } = parent.options;
  const { provider, model, reasoningEffort, maxTokens } = agentOptions({ row, ...asked });
  const rerouted = provider !== undefined || model !== undefined;
  const effort = reasoningEffort ?? (rerouted ? undefined : config.reasoningEffort);
  const limit = maxTokens ?? config.maxTokens;
  const narrowed = narrowTools(tools, row.toolFilter);
  const network = permissions?.network;
  const { reasoningEffort: _effort, maxTokens: _limit, ...rest } = inherited;
  return JSON.parse(
    JSON.stringify({
      ...rest,
      provider: provider ?? config.provider,
      model: model ?? (provider === undefined ? config.model : undefined),
      reasoningEffort: effort,
      maxTokens: limit,
      systemPrompt: row.persona ?? inherited.systemPrompt,
      tools: narrowed,
      toolsets: toolsetsOf(input, { own: inherited.toolsets, usual }),
      permissions: { sandboxMode: sandbox, network },
      delegation: {
        mode,
        provider: row.provider,
        label,
        persona: row.persona,
        toolFilter: row.toolFilter,
        outputSchema: outputSchema && (await values.resolve(tenant, outputSchema)),
        team: teammate === undefined ? undefined : { lead: session },
      },
    }),
  ) as SessionOptions;
}

/** A session that has closed meanwhile starts nobody. */
async function refuseDrained(
  { database }: ActivityDeps,
  { tenant, session }: PrepareChildInput,
): Promise<PrepareChildResult | undefined> {
  const row = await readSession(database, { tenant, session });
  if (row && row.status !== 'closed') return undefined;
  return { kind: 'refused', code: 'DRAINING', message: `session ${session} has closed; no agent was started` };
}

/** An agent that stays can write to its parent, a member to its team; nobody else has a part in a team. */
function toolsetsOf(
  { mode, teammate }: PrepareChildInput,
  { own, usual }: { own: string[] | undefined; usual: readonly string[] },
): string[] | undefined {
  const parents = own ?? usual;
  if (teammate !== undefined) return [...new Set([...parents, TEAM_TOOLSET])];
  if (mode === 'one-shot' && !parents.includes(TEAM_TOOLSET)) return own;
  const sets = new Set([...parents, ...(mode === 'continuable' ? [AGENTS_TOOLSET] : [])]);
  sets.delete(TEAM_TOOLSET);
  return [...sets];
}

/** A filter that names a tool nobody has is a mistake of the deployment, found before anything starts. */
function refuseUnknownTools(
  deps: ActivityDeps,
  { tenant, child }: PrepareChildInput,
  options: SessionOptions,
): PrepareChildResult | undefined {
  try {
    deps.registry.view({ tenant, session: child }, choiceOf(options, deps));
    return undefined;
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    return { kind: 'refused', code: 'UNKNOWN_TOOLS', message: error.message };
  }
}

/** How much of the parent's log a child begins with: up to its last turn that has ended. */
async function seedFor(
  { database, subagentProviders }: ActivityDeps,
  { row, ...key }: PrepareChildInput,
): Promise<number> {
  if (subagentProviders.get(row.provider)?.context !== 'parent') return 0;
  const boundary = await forkBoundary(database, { tenant: key.tenant, session: key.session });
  return boundary.kind === 'at' ? boundary.seq + 1 : 0;
}

/** What a request asks of whoever makes the child, and whether that one can do it. */
function refuseUnsupported(
  { subagentProviders }: ActivityDeps,
  { row, mode, outputSchema }: PrepareChildInput,
): PrepareChildResult | undefined {
  const provider = subagentProviders.get(row.provider);
  if (!provider)
    return {
      kind: 'refused',
      code: 'UNSUPPORTED_CAPABILITY',
      message: `no provider "${row.provider}" makes agents here`,
    };
  const missing = unsupported(provider, { row, mode, ...(outputSchema && { outputSchema }) });
  if (missing.length === 0) return undefined;
  const message = `the provider "${row.provider}" does not support ${missing.join(', ')}`;
  return { kind: 'refused', code: 'UNSUPPORTED_CAPABILITY', message };
}
