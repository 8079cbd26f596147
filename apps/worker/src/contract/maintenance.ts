/** What one upkeep run did. */
export interface MaintenanceReport {
  /** Sessions whose birth had stopped half-way: started again or removed. */
  swept: number;
  /** Turns sealed after their rows were verified against their histories. */
  sealed: number;
  /** Turns that could not be sealed because rows and history differ; for people to look at. */
  diverged: string[];
  /** Sessions that were due and of which nothing could be sealed for another reason. */
  unsealed: string[];
  /** Keys, requests, notifications and unused uploads past their time. */
  expired: number;
  /** Stored values that nothing could refer to any more. */
  collected: number;
}

export interface MaintenanceInput {
  /** `all` = every job in turn. */
  job: 'sweep' | 'seal' | 'expire' | 'collect' | 'all';
}

export interface MaintenanceActivities {
  /** Runs one upkeep job over every tenant; safe to run again at any time. */
  maintain(input: MaintenanceInput): Promise<MaintenanceReport>;
}
