import { ApplicationFailure } from '@temporalio/common';
import { isDomainError } from '@everturn/core/domain';

/**
 * A value that may not stand in the log fails the workflow, so that its parent recovers; without this the workflow task
 * would be retried for ever and nobody told. Other errors are bugs: they block loudly until a deploy mends them.
 */
export async function failByValue<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isDomainError(error)) throw error;
    throw ApplicationFailure.create({ message: error.message, type: error.code, nonRetryable: true });
  }
}
