export { workflowPreludeSource, type WorkflowSetup } from './inside/workflow-prelude.ts';
export * from './program.ts';
export { ProgramPool } from './program-pool.ts';
export { RunningProgram, type SliceInput } from './running-program.ts';
export type { PreludeApi } from './inside/bootstrap.ts';
