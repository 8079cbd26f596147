import { createHash } from 'node:crypto';
import { isBlobRef, skillsNamedIn, text, type ContentBlock, type Message } from '@everturn/core/domain';
import { skillsMark, writeSessionSkills } from '@everturn/core/postgres';
import { catalogEntries, catalogText, skillText, type Skill, type SkillEntry } from '@everturn/tools/kit';
import type { AssembleInput, WorkspaceContext, WorkspaceNews } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { composePrefix } from './compose-prefix.ts';
import { withPluginSkills } from './with-plugin-skills.ts';

/** A prefix below this travels as it is; it goes with every turn. */
const INLINE_PREFIX_BYTES = 2_048;

export interface NewsInput {
  ask: AssembleInput;
  cwd: string;
  /** Whether the model has the tool that loads skills. */
  offersSkills: boolean;
  /** What the message calls for. */
  calledFor: readonly string[];
  /** How much of the project's rules is read at most. */
  instructionsBytes: number;
  /** The mark of the list of skills that people are shown; absent: nobody has looked yet. */
  kept?: string;
}

export interface FoundNews {
  news: WorkspaceNews;
  /** What the header's requests begin with, where it was composed just now. */
  prefix?: Message[];
}

/** What a session's folder says that its model does not know yet: rules at first, skills whenever their list changes. */
export async function workspaceNews(deps: ActivityDeps, input: NewsInput): Promise<FoundNews> {
  const { ask, cwd, offersSkills, instructionsBytes } = input;
  const { skills, complete } = await withPluginSkills(deps, ask).list({ cwd });
  // While a place cannot be looked at, the last good list stands.
  const entries = offersSkills && complete ? catalogEntries(skills) : [];
  const digest = complete ? digestOf(entries) : ask.prefix && ask.skills;
  if (complete) await rememberSkills(deps, input, skills);
  const context = (content: string, source: WorkspaceContext['source']) => contextOf(deps, ask, content, source);
  const invoked = await invokedSkills(deps, input);
  const news: WorkspaceNews = {
    ...(digest !== undefined && { skills: digest }),
    ...(invoked.length > 0 && { invoked }),
  };
  if (ask.prefix) {
    const changed = digest !== ask.skills;
    const source = { kind: 'skill-catalog' as const, form: 'catalog' as const, entries };
    return { news: { ...news, ...(changed && { catalog: await context(catalogText(entries), source) }) } };
  }
  const instructions = await deps.ports.project.instructions({ cwd, maxBytes: instructionsBytes });
  const prefix = composePrefix(instructions, entries);
  return { prefix, news: { ...news, prefix: await travelling(deps, ask, prefix) } };
}

/** The names a person's message calls for. */
export async function namesCalledFor(
  { values }: ActivityDeps,
  { tenant, calledFor }: AssembleInput,
): Promise<string[]> {
  if (!isBlobRef(calledFor)) return calledFor ?? [];
  const content = await values.resolve<ContentBlock[]>(tenant, calledFor);
  return skillsNamedIn(content.map((block) => (block.type === 'text' ? block.text : '')).join('\n'));
}

async function invokedSkills(deps: ActivityDeps, { ask, cwd, calledFor }: NewsInput): Promise<WorkspaceContext[]> {
  const contexts: WorkspaceContext[] = [];
  for (const name of calledFor) {
    const skill = await withPluginSkills(deps, ask).load({ cwd, name });
    if (!skill?.byPerson) continue; // then it is prose
    contexts.push(await contextOf(deps, ask, skillText(skill), { kind: 'skill-invocation', name }));
  }
  return contexts;
}

async function contextOf(
  { values }: ActivityDeps,
  { tenant }: AssembleInput,
  words: string,
  source: WorkspaceContext['source'],
): Promise<WorkspaceContext> {
  return { content: await values.travel(tenant, [text(words)]), source };
}

async function travelling({ values }: ActivityDeps, { tenant }: AssembleInput, prefix: Message[]) {
  const fits = Buffer.byteLength(JSON.stringify(prefix)) < INLINE_PREFIX_BYTES;
  return fits ? prefix : values.store(tenant, prefix);
}

/** For people who ask which skills a session has; that it has none is remembered, too. */
async function rememberSkills({ database }: ActivityDeps, { ask, kept }: NewsInput, found: readonly Skill[]) {
  const skills = found.map(({ name, description, source, byModel, byPerson }) => ({
    name,
    description,
    source,
    byModel,
    byPerson,
  }));
  if (kept === skillsMark(skills)) return;
  await writeSessionSkills(database, { tenant: ask.tenant, session: ask.session, skills });
}

/** `undefined` = there are none. */
function digestOf(entries: readonly SkillEntry[]): string | undefined {
  if (entries.length === 0) return undefined;
  return createHash('sha256').update(catalogText(entries)).digest('hex').slice(0, 16);
}
