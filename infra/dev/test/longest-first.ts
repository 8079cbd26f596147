import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that mostly wait, by their size the last: begun late, one of them would run on alone. */
const LONG = /waves|stalled-worker|crash\/approvals|rebuild|worker-process|demo|outages/;

/** Vitest's own order, but for long files, which a machine that has not run them yet takes for short ones. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array's
    const sorted = await super.sort(files);
    const isLong = ({ project, moduleId }: TestSpecification) => project.name === 'e2e' && LONG.test(moduleId);
    const order = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    return sorted.toSorted((a, b) => order(a) - order(b) || Number(isLong(b)) - Number(isLong(a)));
  }
}
