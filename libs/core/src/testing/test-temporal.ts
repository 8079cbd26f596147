import { randomBytes } from 'node:crypto';
import { prepareNamespace } from './prepare.ts';
import { provided } from './provided.ts';

/** A namespace of the test's own on the run's Temporal. */
export interface TestTemporal {
  readonly address: string;
  readonly namespace: string;
}

/** Registers a fresh namespace with its search attributes: about a second. Task queues in it are nobody else's. */
export async function testTemporal(): Promise<TestTemporal> {
  const address = provided('EVERTURN_TEST_TEMPORAL_ADDRESS');
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  await prepareNamespace(address, namespace);
  return { address, namespace };
}
