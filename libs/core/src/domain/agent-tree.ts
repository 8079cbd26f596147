import { SubagentDescriptor } from './delegation-events.ts';
import type { SessionId } from './ids.ts';

/** A session as far as its place among others is concerned. */
export interface TreeNode {
  id: SessionId;
  parent?: SessionId;
  createdAt: Date;
}

/** A session and how far below the root it is. */
export type Placed<N extends TreeNode> = N & { depth: number };

/** Everything below a session, each before what is below it, siblings by creation and then by id. */
export function preOrder<N extends TreeNode>(root: SessionId, nodes: readonly N[]): Placed<N>[] {
  const byParent = Map.groupBy(nodes, ({ parent }) => parent);
  const below = (id: SessionId, depth: number): Placed<N>[] =>
    (byParent.get(id) ?? [])
      .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1))
      .flatMap((node) => [{ ...node, depth }, ...below(node.id, depth + 1)]);
  return below(root, 1);
}

/** An agent below the one that asks, as its own part of its log and its row tell of it. */
export interface AgentRow extends TreeNode {
  running: boolean;
  /** Its `subagent/descriptor` events in order, as stored; `unavailable` where they cannot be read. */
  descriptors: readonly unknown[] | 'unavailable';
}

/** What a model reads of the agents that work for it; those that do one task are passed over, what is below them not. */
export function agentLines(root: SessionId, rows: readonly AgentRow[], scope: 'children' | 'descendants'): string[] {
  return preOrder(root, rows).flatMap((agent) => {
    if (scope === 'children' && agent.depth > 1) return [];
    const place = scope === 'descendants' ? ` parent=${agent.parent} depth=${agent.depth}` : '';
    const identity = identityOf(agent.descriptors);
    switch (identity.kind) {
      case 'agent':
        return [`${agent.id} [${agent.running ? 'running' : 'inactive'}] — ${identity.label}${place}`];
      case 'diagnostic':
        return scope === 'descendants' ? [`${agent.id} [diagnostic: ${identity.problem}]${place}`] : [];
      case 'none':
        return [];
    }
  });
}

type Identity =
  | { kind: 'agent'; label: string }
  | { kind: 'diagnostic'; problem: 'corrupt' | 'unsupported' | 'unavailable' }
  | { kind: 'none' };

/** The last descriptor counts; a child that has none yet, or does one task, is nobody to write to. */
function identityOf(descriptors: AgentRow['descriptors']): Identity {
  if (descriptors === 'unavailable') return { kind: 'diagnostic', problem: 'unavailable' };
  const last = descriptors.at(-1);
  if (last === undefined) return { kind: 'none' };
  const parsed = SubagentDescriptor.safeParse(last);
  if (parsed.success)
    return parsed.data.mode === 'continuable' ? { kind: 'agent', label: parsed.data.label } : { kind: 'none' };
  const { version } = last as { version?: unknown };
  return { kind: 'diagnostic', problem: typeof version === 'number' && version !== 2 ? 'unsupported' : 'corrupt' };
}

export interface RouteInput {
  caller: SessionId;
  /** The agent the caller stays with, while it does. */
  owner: SessionId | undefined;
  target: { id: SessionId; parent?: SessionId; mode?: string } | undefined;
}
export type MessageRoute =
  | { kind: 'down' | 'up' }
  | { kind: 'refused'; code: 'UNAUTHORIZED' | 'NOT_RESUMABLE'; message: string };

/** Whether an agent may write to another: a parent to its direct continuable child, such a child to its parent. */
export function routeMessage({ caller, owner, target }: RouteInput): MessageRoute {
  if (target && owner === target.id) return { kind: 'up' };
  if (!target || target.parent !== caller)
    return {
      kind: 'refused',
      code: 'UNAUTHORIZED',
      message: 'you can only write to agents you started yourself, and to the one you work for',
    };
  if (target.mode === 'continuable') return { kind: 'down' };
  return {
    kind: 'refused',
    code: 'NOT_RESUMABLE',
    message: `agent ${target.id} did its one task and cannot be written to; do not try this id again, start another agent`,
  };
}

/** Why a message was not delivered, of what its target's workflow said. */
export function undelivered(
  route: 'down' | 'up',
  target: SessionId,
  answer: { kind: 'gone' } | { kind: 'refused'; code: string; message: string },
): { code: 'PARENT_UNAVAILABLE' | 'DRAINING' | 'ACTIVATION_CLOSING'; message: string } {
  const nothing = 'nothing was delivered';
  if (answer.kind === 'gone') return { code: 'PARENT_UNAVAILABLE', message: `agent ${target} is gone; ${nothing}` };
  // A parent that closes takes nothing more from those below it, which it ends first.
  const code = route === 'up' && answer.code === 'SESSION_CLOSED' ? 'DRAINING' : 'ACTIVATION_CLOSING';
  return { code, message: `${answer.message}; ${nothing}` };
}
