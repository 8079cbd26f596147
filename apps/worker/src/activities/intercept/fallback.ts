import { assertNever } from '@everturn/core/domain';
import type { Interception } from '../../contract/index.ts';
import type { PointDecision, PointInput } from '../../plugins/index.ts';

/** What holds at a point when no listener decides otherwise. */
export function fallbackDecision(
  { point }: Interception,
  input: PointInput<Interception['point']>,
): PointDecision<Interception['point']> {
  switch (point) {
    case 'agent/prompt-submit':
    case 'tools/pre-execute':
      return { action: 'allow' };
    case 'agent/session-prefix':
      return (input as PointInput<'agent/session-prefix'>).messages;
    case 'agent/request':
      return (input as PointInput<'agent/request'>).config;
    case 'agent/request-error':
      return { action: 'fail' };
    case 'agent/step-result':
      return (input as PointInput<'agent/step-result'>).content;
    case 'agent/turn-continuation':
      return { action: (input as PointInput<'agent/turn-continuation'>).decision };
    case 'tools/post-execute':
      return { action: 'accept' };
    case 'agent/session-start':
    case 'agent/pre-step':
    case 'agent/post-step':
    case 'agent/turn-stop':
    case 'tools/guard':
    case 'tools/result':
    case 'session/flush':
      return undefined;
    default:
      return assertNever(point, 'interception point');
  }
}
