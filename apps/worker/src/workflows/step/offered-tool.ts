import type { WorkflowSettings } from '@everturn/tools/kit';
import type { CalledTool, RequestedCall } from '../../contract/index.ts';
import type { StepState } from './step-state.ts';

/** What is offered under a call's name; histories of before offers were stored have it in their assembly. */
export const toolOf = ({ assembly }: Pick<StepState, 'assembly'>, call: RequestedCall): CalledTool | undefined =>
  call.tool ?? assembly.tools?.[call.name];

/** What a body in workflow code is to know of the deployment. */
export function settingsOf({ assembly }: Pick<StepState, 'assembly'>, { tool, name }: RequestedCall): WorkflowSettings {
  const settings = tool?.settings ?? assembly.settings;
  if (!settings) throw new TypeError(`${name} was offered without settings`);
  return settings;
}
