import { Context } from '@temporalio/activity';
import type { MaintenanceActivities, MaintenanceInput, MaintenanceReport } from '../contract/index.ts';
import { failingAs } from './failure.ts';

/** One upkeep job over every tenant, in small portions; `beat` is called between them. */
export type UpkeepJob = (beat: () => void) => Promise<Partial<MaintenanceReport>>;

export type UpkeepJobs = Record<Exclude<MaintenanceInput['job'], 'all'>, UpkeepJob>;

/** Runs one upkeep job, or each in turn; a job that fails does not keep the others from running. */
export function maintainActivity(jobs: UpkeepJobs): MaintenanceActivities['maintain'] {
  return ({ job }) =>
    failingAs(async () => {
      const context = Context.current();
      const beat = (name: string) => {
        // Whoever was given up must not go on beside the next.
        context.cancellationSignal.throwIfAborted();
        context.heartbeat(name);
      };
      const wanted = job === 'all' ? (Object.keys(jobs) as (keyof UpkeepJobs)[]) : [job];
      const report: MaintenanceReport = { swept: 0, sealed: 0, diverged: [], unsealed: [], expired: 0, collected: 0 };
      const errors: unknown[] = [];
      for (const name of wanted) {
        try {
          Object.assign(report, await jobs[name](() => beat(name)));
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw new AggregateError(errors, `upkeep failed after ${JSON.stringify(report)}`);
      return report;
    });
}
