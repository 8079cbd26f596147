/** The live environment itself, for the two who need all of it: what hides its secrets, and what children inherit from. */
export const liveEnvironment = (): Record<string, string | undefined> => process.env;

/** Whether workflows keep stack traces for Temporal's `__stack_trace` query; asked before the configuration is read. */
export const keepsStackTraces = (environment: Record<string, string | undefined>): boolean =>
  environment['EVERTURN_WORKFLOW_STACK_TRACES']?.trim() === 'on';
