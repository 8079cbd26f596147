import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take more than twenty seconds, the longest first: begun late, one of them would run on alone. */
const LONG = [
  'waves/waves',
  'crash/approvals',
  'test/approvals',
  'turns',
  'product',
  'jobs',
  'worker-killed',
  'programs',
  'listeners',
  'delivery',
  'team',
  'worker-process',
  'rebuild',
  'ralph',
  'up',
  'scripts',
].map((name) => `/${name}.e2e.test.ts`);

/** Vitest's own order, but for long files, which a machine that has not run them yet takes for short ones. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array's
    const sorted = await super.sort(files);
    const order = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return sorted.toSorted((a, b) => order(a) - order(b) || rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = LONG.findIndex((name) => moduleId.endsWith(name));
  return place === -1 ? LONG.length : place;
}
