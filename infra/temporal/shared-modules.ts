import { InfraError } from '../process/infra-error.ts';

/**
 * Rooms that each thread of a worker loads once, besides the workflows themselves: none keeps anything of a workflow.
 * Otherwise every workflow, so every step, would load all code anew and build all validators: 10 ms of CPU, and 1.7 MB
 * while it is cached.
 */
export const sharedRooms = [
  '@everturn/core/domain',
  '@everturn/core/protocol',
  '@everturn/tools/kit',
  '@everturn/tools/catalog',
  '@everturn/tools/workflow',
];

/** Where webpack hands out a module it has just run. */
const anchor = '// Return the exports of the module';

// The SDK freezes what is shared, all the way down, so that nothing leaks from one workflow into another. Validators
// of zod complete themselves when they are first used, which tells nothing of a workflow, and fail when frozen.
// The SDK leaves alone what is frozen already: so the module is, and not what it exports.
const exemption = `if (globalThis.__TEMPORAL_ACTIVATOR__ === undefined && /^\\.\\/(libs|node_modules\\/zod)\\//.test(moduleId)) Object.freeze(module);`;

/** Makes a bundle that preloads the shared rooms work: their exports stay as they are instead of being frozen. */
export function exemptFromFreezing(code: string): string {
  const parts = code.split(anchor);
  if (parts.length === 2) return parts.join(`${exemption}\n${anchor}`);
  const found = `webpack's loader stands in the bundle ${parts.length - 1} times, not once`;
  throw new InfraError('INFRA_BUNDLE_FAILED', found, `another version of the bundler: mend ${import.meta.filename}`);
}
