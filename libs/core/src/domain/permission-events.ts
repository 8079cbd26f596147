import { z } from 'zod';
import { registerEvent } from './event-registry.ts';
import { ApprovalPolicy, SandboxMode } from './sandbox-mode.ts';

declare module './events.ts' {
  interface SessionEventMap {
    'permission/preset': { preset: string };
    'sandbox/mode': { mode: SandboxMode; source?: 'delegation' };
    'approval/policy': { policy: ApprovalPolicy; source?: 'delegation' };
  }
}

const source = z.literal('delegation').exactOptional();

registerEvent('permission/preset', { schema: z.strictObject({ preset: z.string().min(1) }), outOfBand: true });
registerEvent('sandbox/mode', { schema: z.strictObject({ mode: SandboxMode, source }), outOfBand: true });
registerEvent('approval/policy', { schema: z.strictObject({ policy: ApprovalPolicy, source }), outOfBand: true });
