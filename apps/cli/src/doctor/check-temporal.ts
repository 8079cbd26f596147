import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TemporalAccess } from '../platform/temporal.ts';
import { withTemporal } from '../platform/temporal.ts';
import type { Settings } from '../platform/settings.ts';
import { fail, info, ok, warn, type Finding } from './finding.ts';

/** What operators filter by in the Temporal UI. */
const SEARCH_ATTRIBUTES = ['Session', 'Parent', 'Tenant', 'Status', 'Model', 'Tool', 'Tokens'].map(
  (name) => `Everturn${name}`,
);
const DAY_SECONDS = 24 * 60 * 60;
/** A log can be rebuilt from histories for this long; a seal must be made before. */
const PRODUCTION_DAYS = 7;
const POLL_RATE = 'history.transferProcessorMaxPollRPS';
const NOT_FOUND = 5;

/** Whether Temporal answers, has the namespace, keeps histories long enough and knows the search attributes. */
export async function checkTemporal(settings: Settings): Promise<Finding[]> {
  return withTemporal(settings, async (temporal) => {
    const { connection, config } = temporal;
    const { serverVersion } = await connection.workflowService.getSystemInfo({});
    const server = ok('Temporal', `${config.address}, server ${serverVersion ?? 'of unknown version'}`);
    const namespace = await namespaceFindings(temporal);
    return [server, ...namespace, pollRateFinding(settings)];
  });
}

async function namespaceFindings(temporal: TemporalAccess): Promise<Finding[]> {
  const { connection, config } = temporal;
  try {
    const { config: found } = await connection.workflowService.describeNamespace({ namespace: config.namespace });
    const days = Number(found?.workflowExecutionRetentionTtl?.seconds ?? 0) / DAY_SECONDS;
    const reached = ok('Namespace', config.namespace);
    return [reached, retentionFinding(days, isLocal(config.address)), await searchAttributesFinding(temporal)];
  } catch (error) {
    if ((error as { code?: unknown }).code !== NOT_FOUND) throw error;
    return [
      fail(
        'Namespace',
        `${config.namespace} does not exist`,
        'make it with `npm run bootstrap`, or correct TEMPORAL_NAMESPACE',
      ),
    ];
  }
}

/** Histories are what a log is rebuilt from: too short a retention loses that within days. */
export function retentionFinding(days: number, local: boolean): Finding {
  const detail = `closed histories are kept ${Math.round(10 * days) / 10} days`;
  const remedy = `raise it to ${PRODUCTION_DAYS} days or more with \`npm run bootstrap\``;
  if (days >= PRODUCTION_DAYS) return ok('Retention', detail);
  return local && days >= 1
    ? warn('Retention', `${detail}; production needs ${PRODUCTION_DAYS}`, remedy)
    : fail('Retention', detail, remedy);
}

async function searchAttributesFinding({ connection, config }: TemporalAccess): Promise<Finding> {
  const remedy = 'register them with `npm run bootstrap`; runs work without, the filters of the UI do not';
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: config.namespace });
    const missing = SEARCH_ATTRIBUTES.filter((name) => !(name in (customAttributes ?? {})));
    if (missing.length === 0) return ok('Search', `all ${SEARCH_ATTRIBUTES.length} search attributes are registered`);
    return warn('Search', `missing search attributes: ${missing.join(', ')}`, remedy);
  } catch {
    // Temporal Cloud has no operator service.
    return info(
      'Search',
      `the cluster does not list its search attributes; Everturn's are ${SEARCH_ATTRIBUTES.join(', ')}`,
    );
  }
}

/** No cluster tells its dynamic configuration; of a dev server of ours the command line does. */
function pollRateFinding(settings: Settings): Finding {
  const commandLine = devServerCommandLine(settings);
  if (commandLine?.includes(POLL_RATE)) return ok('Poll rate', `${POLL_RATE} is raised on the dev server`);
  if (commandLine !== undefined)
    return warn('Poll rate', `the dev server runs without ${POLL_RATE}: each step waits`, 'start it with `npm run up`');
  return info(
    'Poll rate',
    `a cluster does not tell it; a server of your own needs ${POLL_RATE} from infra/temporal/dynamicconfig.yaml`,
  );
}

function devServerCommandLine({ dataDir, temporal }: Settings): string | undefined {
  try {
    const state = JSON.parse(readFileSync(join(dataDir, 'state.json'), 'utf8')) as {
      services?: { temporal?: { pid?: number; detail?: string } };
    };
    const { pid, detail } = state.services?.temporal ?? {};
    // Another cluster may be named by the environment while a stack runs.
    if (pid === undefined || temporal === undefined || !detail?.startsWith(temporal.address)) return undefined;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return undefined;
  }
}

const isLocal = (address: string): boolean => /^(?:localhost|127\.|\[::1\])/.test(address);
