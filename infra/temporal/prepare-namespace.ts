import { Connection, type ConnectionOptions, isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import { InfraError } from '../process/infra-error.ts';
import { poll } from '../process/poll.ts';
import { searchAttributes } from './search-attributes.ts';

const notFound = 5;
const alreadyExists = 6;
const daySeconds = 24 * 60 * 60;

/** Which namespace of which cluster to prepare. */
export interface PrepareNamespaceInput {
  readonly connection: ConnectionOptions;
  readonly namespace: string;
  /** How long closed histories stay readable: the log is rebuilt from them. */
  readonly retentionDays: number;
}

/** What was done, and what could not be done but is not needed to run. */
export interface PrepareNamespaceResult {
  readonly created: boolean;
  readonly searchAttributesAdded: string[];
  readonly warnings: string[];
}

/** Creates the namespace if need be, raises its retention, and registers the search attributes as far as allowed. */
export async function prepareNamespace(input: PrepareNamespaceInput): Promise<PrepareNamespaceResult> {
  const connection = await connect(input);
  try {
    const created = await ensureNamespace(connection, input);
    const warnings: string[] = [];
    const attempt = async <T>(what: string, work: () => Promise<T>, otherwise: T): Promise<T> => {
      try {
        return await work();
      } catch (error) {
        warnings.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
        return otherwise;
      }
    };
    await attempt('retention not raised', () => raiseRetention(connection, input), undefined);
    const searchAttributesAdded = await attempt(
      'search attributes not registered',
      () => addSearchAttributes(connection, input.namespace),
      [],
    );
    return { created, searchAttributesAdded, warnings };
  } finally {
    await connection.close();
  }
}

async function connect({ connection, namespace }: PrepareNamespaceInput): Promise<Connection> {
  try {
    return await Connection.connect({ connectTimeout: '15s', ...connection });
  } catch (cause) {
    throw new InfraError(
      'INFRA_NOT_READY',
      `no Temporal answers at ${connection.address} (namespace ${namespace})`,
      'check TEMPORAL_ADDRESS, TEMPORAL_API_KEY and the TEMPORAL_TLS settings',
      cause,
    );
  }
}

async function ensureNamespace(
  connection: Connection,
  { namespace, retentionDays }: PrepareNamespaceInput,
): Promise<boolean> {
  const describe = () => connection.workflowService.describeNamespace({ namespace });
  try {
    await describe();
    return false;
  } catch (error) {
    if (!hasCode(error, notFound)) throw error;
  }
  const workflowExecutionRetentionPeriod = retention(retentionDays);
  await connection.workflowService
    .registerNamespace({ namespace, workflowExecutionRetentionPeriod })
    .catch((error: unknown) => {
      if (!hasCode(error, alreadyExists)) throw error;
    });
  // The frontend answers from a cache that learns of new namespaces a little later; pollers fail until it does.
  const known = await poll(() => usable(connection, namespace), 30_000);
  if (known === undefined)
    throw new InfraError(
      'INFRA_NOT_READY',
      `namespace ${namespace} was created but is not served`,
      'run it again in a minute',
    );
  return true;
}

async function usable(connection: Connection, namespace: string): Promise<true | undefined> {
  try {
    const taskQueue = { name: 'everturn-bootstrap-probe' };
    const taskQueueType = proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW;
    await connection.workflowService.describeTaskQueue({ namespace, taskQueue, taskQueueType });
    return true;
  } catch (error) {
    if (hasCode(error, notFound)) return undefined;
    throw error;
  }
}

async function raiseRetention(
  connection: Connection,
  { namespace, retentionDays }: PrepareNamespaceInput,
): Promise<void> {
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  const current = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0);
  if (current >= retentionDays * daySeconds) return;
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: retention(retentionDays) },
  });
}

async function addSearchAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(searchAttributes).filter(([name]) => !(name in (customAttributes ?? {})));
  if (missing.length > 0)
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(missing) });
  return missing.map(([name]) => name);
}

function retention(days: number) {
  return msToTs(days * daySeconds * 1000);
}

function hasCode(error: unknown, code: number): boolean {
  return isGrpcServiceError(error) && (error.code as number) === code;
}
