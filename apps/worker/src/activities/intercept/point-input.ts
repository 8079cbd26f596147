import { assertNever, parseArguments, type TenantId } from '@everturn/core/domain';
import type { Interception, RequestedCall, ToolOutcome } from '../../contract/index.ts';
import type { ObservedCall, ObservedResult, PointInput } from '../../plugins/index.ts';
import type { Values } from '../context/values.ts';

/** What the listeners of the interception's point are told: its own input, references resolved. */
export async function pointInput(
  interception: Interception,
  { values, tenant }: { values: Values; tenant: TenantId },
): Promise<PointInput<Interception['point']>> {
  const call = async (requested: RequestedCall): Promise<ObservedCall> => ({
    callId: requested.callId,
    name: requested.name,
    arguments: parseArguments(await values.resolve(tenant, requested.arguments)),
  });
  const result = async ({ content, isError, error, meta }: ToolOutcome): Promise<ObservedResult> => ({
    content: await values.resolve(tenant, content),
    isError,
    ...(error && { error }),
    ...(meta !== undefined && { meta }),
  });
  switch (interception.point) {
    case 'agent/session-start':
      return { source: interception.source };
    case 'agent/prompt-submit':
      return { content: await values.resolve(tenant, interception.content), source: interception.source };
    case 'agent/session-prefix':
      return { messages: Object.freeze([...(await values.resolve(tenant, interception.messages ?? []))]) };
    case 'agent/request':
      return { config: interception.config };
    case 'agent/request-error':
      return { failure: interception.failure, priorFailures: interception.priorFailures };
    case 'agent/step-result':
      return { content: await values.resolve(tenant, interception.content), provenance: interception.provenance };
    case 'agent/post-step':
      return { aborted: interception.aborted };
    case 'agent/turn-continuation':
      return { decision: interception.decision };
    case 'tools/pre-execute':
    case 'tools/guard':
      return { call: await call(interception.call) };
    case 'tools/post-execute':
    case 'tools/result':
      return { call: await call(interception.call), result: await result(interception.outcome) };
    case 'agent/pre-step':
    case 'agent/turn-stop':
    case 'session/flush':
      return {};
    default:
      return assertNever(interception, 'interception point');
  }
}
