import { z } from 'zod';
import { registerEvent } from './event-registry.ts';
import { Natural } from './scalars.ts';

/** How an agent of a script ended. */
export const ScriptAgentOutcome = z.enum(['completed', 'failed', 'cancelled']);
export type ScriptAgentOutcome = z.infer<typeof ScriptAgentOutcome>;

const run = { runId: z.string().min(1) };

const RunStart = z.strictObject({ ...run, name: z.string() });
const AgentStart = z.strictObject({
  ...run,
  seq: Natural,
  label: z.string(),
  phase: z.string().exactOptional(),
  childId: z.string().min(1),
});
const AgentEnd = z.strictObject({ ...run, seq: Natural, outcome: ScriptAgentOutcome });
const RunEnd = z.strictObject({ ...run, stopReason: z.enum(['completed', 'cancelled', 'error']) });

declare module './events.ts' {
  interface SessionEventMap {
    /** A script of agents begins; what one that was interrupted never got to write is missing. */
    'tool-workflow/run-start': z.infer<typeof RunStart>;
    'tool-workflow/agent-start': z.infer<typeof AgentStart>;
    'tool-workflow/agent-end': z.infer<typeof AgentEnd>;
    'tool-workflow/run-end': z.infer<typeof RunEnd>;
  }
}

registerEvent('tool-workflow/run-start', { schema: RunStart, enclosure: 'step' });
registerEvent('tool-workflow/agent-start', { schema: AgentStart, enclosure: 'step' });
registerEvent('tool-workflow/agent-end', { schema: AgentEnd, enclosure: 'step' });
registerEvent('tool-workflow/run-end', { schema: RunEnd, enclosure: 'step' });
