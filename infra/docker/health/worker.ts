/** Healthy = the worker of this container renews the lease on its host, so its event loop turns and Postgres answers. */
import { workerConfig } from '@everturn/core/config';
import { HostId } from '@everturn/core/domain';
import { HOST_STALE_MS, openDatabase, readHost } from '@everturn/core/postgres';

const { hostId, database: where } = workerConfig();
if (hostId === undefined) throw new Error('EVERTURN_HOST_ID is not set: a container needs a stable name of its own');
const database = openDatabase(where.url.reveal(), { applicationName: 'everturn-health', queryTimeoutMs: 5_000 });
const host = await readHost(database, HostId.parse(hostId));
await database.destroy();
const healthy = host !== undefined && host.seenMsAgo < HOST_STALE_MS;
if (!healthy)
  console.error(`host ${hostId}: ${host ? `last seen ${Math.round(host.seenMsAgo)} ms ago` : 'never seen'}`);
process.exitCode = healthy ? 0 : 1;
