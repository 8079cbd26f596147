import { TestingError } from './testing-error.ts';

/** The variables through which the run's set-up tells test files what it started. */
export type Provided =
  | 'EVERTURN_TEST_DATABASE_URL'
  | 'EVERTURN_TEST_TEMPLATE'
  | 'EVERTURN_TEST_TEMPORAL_ADDRESS'
  | 'EVERTURN_WORKFLOW_BUNDLE';

/** Reads one, or says why it is missing. */
export function provided(name: Provided): string {
  const value = process.env[name];
  if (value) return value;
  const remedy = 'name the file x.db.test.ts or x.e2e.test.ts: only those projects start servers';
  throw new TestingError('TESTING_NOT_PROVIDED', `${name} is not set`, remedy);
}
