import type { WorkerOptions } from '@temporalio/worker';
import type { TemporalConfig } from '@everturn/core/config';
import type { FoundBundle } from './find-bundle.ts';

/** Worker versioning, where a deployment is named; without one every worker takes every task. */
export function deploymentOptions(
  { deployment }: Pick<TemporalConfig, 'deployment'>,
  { build }: Pick<FoundBundle, 'build'>,
): Partial<WorkerOptions> {
  if (deployment === undefined) return {};
  return {
    workerDeploymentOptions: {
      version: { deploymentName: deployment, buildId: build },
      useWorkerVersioning: true,
      // A pinned turn that waits for a person would hang after an upgrade.
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}

/** What whoever deploys has to do once this worker is up: a version gets no work before it is the current one. */
export function deployStep(
  { deployment, namespace }: Pick<TemporalConfig, 'deployment' | 'namespace'>,
  { build }: Pick<FoundBundle, 'build'>,
): string | undefined {
  if (deployment === undefined) return undefined;
  return (
    'this version gets no work before it is current: temporal worker deployment set-current-version ' +
    `--namespace ${namespace} --deployment-name ${deployment} --build-id ${build}`
  );
}
