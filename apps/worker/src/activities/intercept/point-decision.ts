import { assertNever, canonicalJson, type ContentBlock } from '@everturn/core/domain';
import type { InterceptInput, Interception, InterceptionDecisions } from '../../contract/index.ts';
import type { PointDecision, PointInput } from '../../plugins/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { callsAmong } from '../context/session-view.ts';
import { reclassify } from '../streaming/model-outcome.ts';
import { boundAccepted } from './bound-accepted.ts';

type Point = Interception['point'];

export interface DecisionInput {
  deps: ActivityDeps;
  ask: InterceptInput;
  input: PointInput<Point>;
  decision: PointDecision<Point>;
}

/** A listener's decision as the workflow takes it: large content by reference, calls classified anew. */
export async function pointDecision({
  deps,
  ask,
  input,
  decision,
}: DecisionInput): Promise<InterceptionDecisions[Point]> {
  const { tenant } = ask;
  const { point } = ask.interception;
  const travel = <T>(value: T) => deps.values.travel(tenant, value);
  switch (point) {
    case 'agent/prompt-submit': {
      const submit = decision as PointDecision<'agent/prompt-submit'>;
      if (submit.action === 'block' || !submit.content) return submit as InterceptionDecisions[typeof point];
      return { ...submit, content: await travel(submit.content) };
    }
    case 'agent/session-prefix':
      return { messages: await travel([...(decision as PointDecision<'agent/session-prefix'>)]) };
    case 'agent/request':
      return { config: decision as PointDecision<'agent/request'> };
    case 'agent/step-result':
      return stepResult(deps, ask, input as PointInput<'agent/step-result'>, decision as ContentBlock[]);
    case 'agent/turn-stop':
      return (decision as PointDecision<'agent/turn-stop'>) ?? { action: 'abstain' };
    case 'tools/guard':
      return typeof decision === 'string' ? { action: 'deny', reason: decision } : { action: 'pass' };
    case 'tools/post-execute': {
      const post = decision as PointDecision<'tools/post-execute'>;
      if (post.action === 'block') return post;
      // A program gets what listeners accept, whole; its log copy is bounded already.
      if (ask.interception.point === 'tools/post-execute' && ask.interception.nested)
        return {
          ...post,
          ...(post.content && { content: await travel(post.content) }),
        } as InterceptionDecisions[typeof point];
      const content = await boundAccepted(deps, ask, input as PointInput<'tools/post-execute'>, post.content);
      const { content: _unbounded, ...rest } = post;
      return content ? { ...rest, content: await travel(content) } : rest;
    }
    case 'agent/request-error':
    case 'agent/turn-continuation':
    case 'tools/pre-execute':
      return decision as InterceptionDecisions[typeof point];
    case 'agent/session-start':
    case 'agent/pre-step':
    case 'agent/post-step':
    case 'tools/result':
    case 'session/flush':
      return null;
    default:
      return assertNever(point, 'interception point');
  }
}

async function stepResult(
  deps: ActivityDeps,
  { tenant, session, interception }: InterceptInput,
  input: PointInput<'agent/step-result'>,
  content: ContentBlock[],
): Promise<InterceptionDecisions['agent/step-result']> {
  const among = await callsAmong(deps, { tenant, session, ...('offer' in interception && interception) });
  return {
    content: await deps.values.travel(tenant, content),
    replaced: canonicalJson(content) !== canonicalJson(input.content),
    calls: await reclassify({ content, ...among, values: deps.values, tenant }),
  };
}
