import { childDiagnostic, MAX_DIAGNOSTIC_BYTES, type TurnEndReason } from '@everturn/core/domain';
import { utf8Head } from '@everturn/tools/kit';

/** What is known of why a child did not complete, as long as a parent's model is shown it. */
export function diagnosticOf(reason: TurnEndReason | undefined, otherwise?: string): string | undefined {
  const known = childDiagnostic(reason) ?? otherwise;
  return known === undefined ? undefined : utf8Head(known, MAX_DIAGNOSTIC_BYTES);
}
