import { administer } from './test-database.ts';
import { prepareDatabase } from './prepare.ts';
import type { Provided } from './provided.ts';
import { startServer } from './start-server.ts';
import { bundleWorkflows } from './workflow-bundle.ts';

/** What all test files of a run share. */
export interface Run {
  stop(): Promise<void>;
}

/**
 * Starts one Postgres and one Temporal, unless the environment names some, migrates the template, bundles the
 * workflows, and leaves the addresses in the environment, which Vitest's workers inherit.
 */
export async function startRun(): Promise<Run> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    await Promise.all(stops.map((end) => end()));
  };
  const outcomes = await Promise.allSettled([providePostgres(stops), provideTemporal(stops), provideBundle()]);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure === undefined) return { stop };
  await stop();
  throw failure.reason;
}

async function providePostgres(stops: (() => Promise<void>)[]): Promise<void> {
  const given = process.env['EVERTURN_TEST_DATABASE_URL'];
  const server = given ? undefined : await startServer('postgres', { prepared: false });
  const url = given ?? server?.url ?? '';
  const template = `everturn_template_${process.pid}`;
  stops.push(server ? () => server.drop() : () => administer(url, `drop database if exists ${template}`));
  // A server that outlives its runs may have seen this pid before.
  await administer(url, `drop database if exists ${template}`);
  await administer(url, `create database ${template}`);
  const templateUrl = new URL(url);
  templateUrl.pathname = `/${template}`;
  await prepareDatabase(templateUrl.href);
  provide('EVERTURN_TEST_DATABASE_URL', url);
  provide('EVERTURN_TEST_TEMPLATE', template);
}

/** What this server would do within a minute it does within seconds: delete histories, give up on pollers that hang. */
const impatience = ['history.transferProcessorUpdateAckInterval="1s"', 'matching.longPollExpirationInterval="5s"'];

async function provideTemporal(stops: (() => Promise<void>)[]): Promise<void> {
  if (process.env['EVERTURN_TEST_TEMPORAL_ADDRESS']) return;
  const server = await startServer('temporal', { prepared: false, dynamicConfig: impatience });
  stops.push(() => server.drop());
  provide('EVERTURN_TEST_TEMPORAL_ADDRESS', server.url);
}

// A broken workflow must fail the tests that need it, not those of every other room.
async function provideBundle(): Promise<void> {
  try {
    const file = await bundleWorkflows();
    if (file !== undefined) provide('EVERTURN_WORKFLOW_BUNDLE', file);
  } catch (error) {
    process.env['EVERTURN_WORKFLOW_BUNDLE_ERROR'] = error instanceof Error ? error.message : String(error);
  }
}

function provide(name: Provided, value: string): void {
  process.env[name] = value;
}
