import { ApprovalPolicy, NetworkMode, PresetName, SandboxMode } from '@everturn/core/domain';
import { z } from 'zod';

/** What shall change; what is absent stays. A preset sets both knobs, a knob beside it goes before it. */
export const PermissionsBody = z
  .strictObject({
    preset: PresetName.optional().describe('a named pair of the two below'),
    sandboxMode: SandboxMode.optional().describe('what tools may write'),
    approvalPolicy: ApprovalPolicy.optional().describe('whether a person is asked, or every question is rejected'),
  })
  .refine((body) => Object.values(body).some((value) => value !== undefined), {
    message: 'give at least one of preset, sandboxMode, approvalPolicy',
  });
export type PermissionsBody = z.output<typeof PermissionsBody>;

/** What a session's tools may do. */
export const PermissionsReport = z.strictObject({
  preset: PresetName.or(z.literal('custom')).describe('the name of the two below; custom where they have none'),
  sandboxMode: SandboxMode,
  approvalPolicy: ApprovalPolicy,
  network: NetworkMode.optional().describe('as the session was created; absent: as its worker has it'),
  presets: z.array(PresetName).describe('what may be chosen, in order'),
});
export type PermissionsReport = z.output<typeof PermissionsReport>;
