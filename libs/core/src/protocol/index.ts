export * from './ask-session.ts';
export * from './job-workflow.ts';
export * from './reminder-workflow.ts';
export * from './session-header.ts';
export * from './session-workflow.ts';
export * from './task-queues.ts';
export * from './workflow-ids.ts';
export * from './webhook-workflow.ts';
