/** How much work is done to find out what a step costs. */
export interface StepLoad {
  readonly sessions: number;
  readonly stepsEach: number;
  readonly isolation: 'child' | 'inline';
}

/** What a step costs under a load: elapsed time by number of steps, and CPU time of the worker by number of steps. */
export interface StepCost {
  readonly wallMs: number;
  readonly cpuMs: number;
}
