import {
  text,
  type HookContext,
  type HookDialect,
  type HookEventName,
  type HookSubject,
  type MessageSource,
} from '@everturn/core/domain';
import type { Initiator, Listener } from '../listeners.ts';
import type { ListenPoint } from '../points.ts';
import type { RegistryLayer } from '../registry-layer.ts';
import type { ExternalHooks } from './external-hooks.ts';

export interface RegisterHooksInput {
  layer: RegistryLayer;
  hooks: ExternalHooks;
  /** How often hooks have made this turn go on since it began. */
  timesContinued(initiator: Initiator): Promise<number>;
}

const SOURCE: MessageSource = { kind: 'plugin', plugin: 'hooks' };
/** A hook that never lets a turn end would keep it running for ever. */
const MOST_CONTINUATIONS = 8;
/** Beyond its hooks' own limits, for starting and ending their processes. */
const MARGIN_MS = 30_000;

/** Listens where external hooks are to be asked; only there, and outermost, so that no plugin keeps them from being asked. */
export function registerHooks({ layer, hooks, timesContinued }: RegisterHooksInput): void {
  const listen = <P extends ListenPoint>(point: P, events: readonly HookEventName[], listener: Listener<P>) => {
    const handlers = events.flatMap((event) => hooks.of(event));
    if (handlers.length === 0) return;
    const limitMs = handlers.reduce((sum, { timeoutMs }) => sum + timeoutMs + MARGIN_MS, MARGIN_MS);
    const onMachine = handlers.some(({ home }) => home === 'host');
    const announced = handlers.map(({ id, dialect, event, matcher }) => ({
      id,
      dialect,
      event,
      ...(matcher !== undefined && { matcher }),
    }));
    const traits = { limitMs, hooks: announced, ...(onMachine && { home: 'host' as const }) };
    layer.addListener(point, listener, 'first', traits);
  };

  listen('agent/session-start', ['SessionStart', 'SubagentStart'], async (asking) => {
    const { source } = asking;
    const about = ofAgent(asking.initiator, 'SubagentStart', { event: 'SessionStart', source });
    const { contexts } = await hooks.ask('agent/session-start', about, asking);
    for (const context of contexts.map(told)) asking.asked?.addContext(context);
  });

  listen('agent/prompt-submit', ['UserPromptSubmit'], async (asking, next) => {
    const subject = { event: 'UserPromptSubmit' as const, content: asking.content };
    const said = await hooks.ask('agent/prompt-submit', subject, asking);
    if (said.decision === 'deny') return { action: 'block', reason: said.reason ?? '' };
    const inner = await next();
    if (inner.action === 'block' || said.contexts.length === 0) return inner;
    return { ...inner, additionalContexts: [...said.contexts.map(told), ...(inner.additionalContexts ?? [])] };
  });

  listen('tools/pre-execute', ['PreToolUse'], async (asking, next) => {
    const said = await hooks.ask('tools/pre-execute', { event: 'PreToolUse', call: asking.call }, asking);
    if (said.decision === 'deny') return { action: 'deny', reason: said.reason ?? '' };
    const inner = await next();
    // No hook grants what somebody else wants asked or refused.
    if (inner.action !== 'allow' || said.decision !== 'ask') return inner;
    return { action: 'ask', ...(said.reason !== undefined && { reason: said.reason }) };
  });

  listen('tools/post-execute', ['PostToolUse'], async (asking, next) => {
    const inner = await next();
    const { call, result } = asking;
    const shown =
      inner.action === 'block'
        ? { content: inner.feedback, isError: true }
        : { content: inner.content ?? result.content, isError: result.isError };
    const said = await hooks.ask('tools/post-execute', { event: 'PostToolUse', call, result: shown }, asking);
    const added = said.contexts.map(told);
    const additionalContexts = [...(inner.additionalContexts ?? []), ...added];
    if (said.decision === 'deny' && inner.action !== 'block')
      return { action: 'block', feedback: [text(said.reason ?? '')], additionalContexts };
    return added.length === 0 ? inner : { ...inner, additionalContexts };
  });

  listen('agent/turn-continuation', ['Stop', 'SubagentStop'], async (asking, next) => {
    const inner = await next();
    if (inner.action === 'continue' || (await timesContinued(asking.initiator)) >= MOST_CONTINUATIONS) return inner;
    const about = ofAgent(asking.initiator, 'SubagentStop', { event: 'Stop' });
    const said = await hooks.ask('agent/turn-continuation', about, asking);
    if (said.decision !== 'deny') return inner;
    const { event } = about('claude');
    const content = [text(`The ${event} hook wants you to continue: ${said.reason ?? ''}`)];
    return { action: 'continue', reason: { content, source: SOURCE } };
  });
}

/** What becomes of an agent is an event of its own to hooks whose dialect has one. */
function ofAgent(
  { session, owner }: Initiator,
  event: 'SubagentStart' | 'SubagentStop',
  otherwise: HookSubject,
): (dialect: HookDialect) => HookSubject {
  const own: HookSubject = owner === undefined ? otherwise : { event, agent: { id: session, owner } };
  return (dialect) => (dialect === 'codex' ? otherwise : own);
}

const told = (context: string): HookContext => ({ content: [text(context)], source: SOURCE });
