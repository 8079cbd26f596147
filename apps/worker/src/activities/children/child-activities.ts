import { agentLines, SessionId } from '@everturn/core/domain';
import { acceptPrompt, agentsBelow, ancestorsOf, readSession } from '@everturn/core/postgres';
import type { SessionOptions } from '@everturn/core/protocol';
import type { ChildActivities } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { failingAs } from '../failure.ts';
import type { Courier } from './courier.ts';
import { describeEnd } from './describe-end.ts';
import { endAgentJob, prepareAgentJob } from './agent-job.ts';
import { lostChildren } from './lost-children.ts';
import { prepareChild } from './prepare-child.ts';
import { readAgent } from './read-agent.ts';
import { readChild } from './read-child.ts';
import { sendMessage } from './send-message.ts';

/** A list travels through workflow code and is read by a model. */
const LISTED = 500;

/** Makes the activities about agents that work for others. */
export function childActivities(deps: ActivityDeps, courier: Courier): ChildActivities {
  const { database } = deps;
  return {
    prepareChild: (input) => failingAs(() => prepareChild(deps, input)),
    readChild: (input) => failingAs(() => readChild(deps, input)),
    prepareAgentJob: (input) => failingAs(() => prepareAgentJob(deps, input)),
    endAgentJob: (input) => failingAs(() => endAgentJob(deps, input)),
    readAgent: (input) => failingAs(() => readAgent(deps, input)),
    describeEnd: (input) => failingAs(() => describeEnd(deps, input)),
    acceptNotices: ({ entries, absent, ...key }) =>
      failingAs(async () => {
        if (absent && (await isClosed(deps, key))) return;
        for (const entry of entries) await acceptPrompt(database, { ...key, mode: 'steer', entry });
      }),
    lostChildren: (input) => failingAs(() => lostChildren(deps, courier, input)),
    sendMessage: (input) => failingAs(() => sendMessage(deps, courier, input)),
    mayInterrupt: (input) => failingAs(() => mayInterrupt(deps, input)),
    listAgents: ({ scope, ...key }) =>
      failingAs(async () => ({ lines: agentLines(key.session, await agentsBelow(database, key, LISTED), scope) })),
  };
}

async function isClosed({ database }: ActivityDeps, key: Parameters<typeof readSession>[1]): Promise<boolean> {
  const row = await readSession(database, key);
  return !row || row.status === 'closed';
}

/** Only whoever an agent works for, however many levels up, may interrupt it. */
async function mayInterrupt(
  { database }: ActivityDeps,
  { tenant, session, agent }: Parameters<ChildActivities['mayInterrupt']>[0],
): ReturnType<ChildActivities['mayInterrupt']> {
  const id = SessionId.safeParse(agent);
  const target = id.success ? await readSession(database, { tenant, session: id.data }) : undefined;
  const above = target ? await ancestorsOf(database, { tenant, session: target.id }) : [];
  if (!target || !above.includes(session))
    return { kind: 'refused', code: 'UNAUTHORIZED', message: 'you can only interrupt agents below you' };
  const stays = (target.options as SessionOptions).delegation?.mode === 'continuable';
  return { kind: stays && target.status !== 'closed' ? 'interrupt' : 'nothing' };
}
