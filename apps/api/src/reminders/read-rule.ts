import { isReminderError, parseInstant, resolveLocalTime, type ReminderRule } from '@everturn/core/domain';
import { ApiError } from '../platform/errors/api-error.ts';
import type { ReminderBody } from './reminder-requests.ts';

/** When a reminder shall be due; throws `INVALID_REQUEST` for a time there is not. */
export function readRule({ afterSeconds, everySeconds, at }: ReminderBody): ReminderRule {
  if (afterSeconds !== undefined) return { kind: 'after', afterSeconds };
  if (everySeconds !== undefined) return { kind: 'every', everySeconds };
  const instant = typeof at === 'object' ? resolveLocalTime(at) : parseInstant(at ?? '');
  if (typeof instant === 'number') return { kind: 'at', at: instant };
  throw new ApiError({
    code: 'INVALID_REQUEST',
    message: `body.at: ${instant.message}`,
    issues: [{ field: 'body.at', message: instant.message }],
    details: { refusal: isReminderError(instant) ? instant.code : '' },
  });
}
