export { jobWorkflow } from './job.ts';
export { maintenanceWorkflow } from './maintenance.ts';
export { programWorkflow } from './program.ts';
export { reminderWorkflow } from './reminder.ts';
export { sessionWorkflow } from './session.ts';
export { stepWorkflow } from './step.ts';
export { turnWorkflow } from './turn.ts';
export { webhookWorkflow } from './webhook.ts';
