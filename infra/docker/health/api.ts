/** Healthy = Postgres and Temporal answer the API, and it is not shutting down. */
import { apiConfig } from '@everturn/core/config';

const { host, port } = apiConfig();
const answer = await fetch(`http://${host}:${port}/v1/health/ready`, { signal: AbortSignal.timeout(4_000) });
if (!answer.ok) console.error(await answer.text());
process.exitCode = answer.ok ? 0 : 1;
