import { ExternalStorage, StorageDriverClaim, type DataConverter, type Payload } from '@temporalio/common';
import type { SessionId } from '../domain/index.ts';
import { parseWorkflowId } from './workflow-ids.ts';

/** From this size on a payload is kept out of Temporal, which warns at half of it and refuses twice of it. */
export const PAYLOAD_LIMIT_BYTES = 1024 * 1024;

/** Where such payloads go; an address is what histories hold instead. */
export interface PayloadStore {
  put(session: SessionId | undefined, payload: Payload): Promise<Record<string, string>>;
  get(address: Record<string, string>): Promise<Payload>;
}

/**
 * Temporal's converter with the last guard: our budgets keep every value far below the limit, and one that escapes them
 * is stored beside the log instead of ending its workflow. `onKept` hears of each, because it is a fault of ours.
 */
export function guardedConverter(
  store: PayloadStore,
  onKept: (kept: { workflow: string | undefined; bytes: number }) => void = () => {},
): DataConverter {
  const driver = {
    name: 'everturn',
    type: 'everturn.postgres',
    async store({ target }: { target?: { id?: string } }, payloads: Payload[]) {
      const session = target?.id === undefined ? undefined : parseWorkflowId(target.id)?.session;
      return Promise.all(
        payloads.map(async (payload) => {
          onKept({ workflow: target?.id, bytes: payload.data?.length ?? 0 });
          return new StorageDriverClaim(await store.put(session, payload));
        }),
      );
    },
    retrieve: (_context: unknown, claims: StorageDriverClaim[]) =>
      Promise.all(claims.map(({ claimData }) => store.get(claimData))),
  };
  return { externalStorage: new ExternalStorage({ drivers: [driver], payloadSizeThreshold: PAYLOAD_LIMIT_BYTES }) };
}
