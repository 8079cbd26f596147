import type { ChildActivities } from '../../contract/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';
import { failingAs } from '../failure.ts';
import { prepareChild } from './prepare-child.ts';
import { readChild } from './read-child.ts';

/** Makes the activities about agents that work for others. */
export function childActivities(deps: ActivityDeps): ChildActivities {
  return {
    prepareChild: (input) => failingAs(() => prepareChild(deps, input)),
    readChild: (input) => failingAs(() => readChild(deps, input)),
  };
}
