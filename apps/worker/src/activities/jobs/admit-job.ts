import { characterCut, text, type SessionId, type TenantId } from '@everturn/core/domain';
import { admitJob, discardJob } from '@everturn/core/postgres';
import { checkArguments, type ToolBody, type ToolSettings } from '@everturn/tools/kit';
import { placedClaim, type AdmittedJob, type RunToolInput } from '../../contract/index.ts';
import type { RegisteredTool } from '../../plugins/index.ts';
import type { ActivityDeps } from '../activity-deps.ts';

/** A job's name among others; a command of megabytes is still one line of a list. */
const LONGEST_LABEL_BYTES = 1_000;

/** The body of a call that asks for a job: it is given one, which its step starts. */
export interface Admission extends ToolBody {
  /** The job, once the body has run. */
  admitted(): AdmittedJob | undefined;
  /** Takes it back, where the call did not succeed after all. */
  discard(): Promise<void>;
}

/** Makes that body. It runs no process: what cannot be started is refused before an id is given out. */
export function admission(deps: ActivityDeps, input: RunToolInput, { definition }: RegisteredTool): Admission {
  const { tenant, session, turn, step } = input;
  let job: AdmittedJob | undefined;
  return {
    definition,
    async execute(args) {
      const { background } = definition;
      if (!background) throw new Error(`"${definition.name}" runs nothing in the background`);
      // Checked against this definition's own schema, so they are what its label takes.
      const label = background.label(checkArguments(definition, args) as never, deps.settings);
      const key = { tenant, session, call: placedClaim(input), turn, step };
      job = await admit(deps, { ...key, kind: background.kind, label: shorten(label) });
      return {
        content: [text(`started background job ${job.id}`)],
        value: { kind: 'background', jobId: job.id },
      };
    },
    admitted: () => job,
    async discard() {
      if (job) await discardJob(deps.database, { tenant, session, job: job.id });
      job = undefined;
    },
  };
}

interface AdmitInput {
  tenant: TenantId;
  session: SessionId;
  call: string;
  turn: number;
  step: number;
  kind: string;
  label: string;
}

async function admit({ database, projection, settings }: ActivityDeps, input: AdmitInput): Promise<AdmittedJob> {
  const limit = settings.jobs.maxActive;
  const result = await admitJob(database, { ...input, limit });
  switch (result.kind) {
    case 'admitted':
    case 'known':
      projection.notifier.notify([input]);
      return { id: result.id, kind: input.kind, label: input.label };
    case 'full':
      throw new Error(fullMessage(settings));
    case 'missing':
      throw new Error(`background jobs unavailable: no job controller serves session ${input.session}`);
  }
}

/** What is said where no job more may run. */
export const fullMessage = ({ jobs }: ToolSettings): string =>
  `background job limit reached for this owner (limit: ${jobs.maxActive}); use job_kill to end one, or wait until one has ended`;

const shorten = (label: string): string => {
  const line = label.replaceAll(/\s+/g, ' ').trim();
  const cut = characterCut(line, LONGEST_LABEL_BYTES);
  return cut === line ? line : `${cut}…`;
};
