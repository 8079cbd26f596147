import type { SessionId, TenantId } from '../domain/index.ts';

/** The channel on which sessions with new rows are named. */
export const COMMITTED_CHANNEL = 'everturn_committed';
/** Postgres refuses payloads of 8,000 bytes. */
const PAYLOAD_LIMIT_BYTES = 7_900;

/** A session something was committed for; `''` = rows of the tenant itself, such as its settings. */
export interface CommittedNote {
  tenant: TenantId;
  session: SessionId | '';
}

/** Puts notes into as few payloads as fit; a payload holds ids only. */
export function toPayloads(notes: Iterable<CommittedNote>): string[] {
  const payloads: string[] = [];
  let payload = '';
  // Ids are of a fixed alphabet, so characters are bytes and neither separator can occur in them.
  for (const { tenant, session } of notes) {
    const note = `${tenant}/${session}`;
    if (payload !== '' && payload.length + 1 + note.length > PAYLOAD_LIMIT_BYTES) {
      payloads.push(payload);
      payload = '';
    }
    payload = payload === '' ? note : `${payload} ${note}`;
  }
  return payload === '' ? payloads : [...payloads, payload];
}

/** The notes of a payload. */
export function fromPayload(payload: string): CommittedNote[] {
  return payload
    .split(' ')
    .filter((note) => note !== '')
    .map((note) => {
      const [tenant = '', session = ''] = note.split('/');
      return { tenant: tenant as TenantId, session: session as SessionId | '' };
    });
}
