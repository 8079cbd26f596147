export * from './change-goal.ts';
export * from './fold-goal.ts';
export * from './goal-error.ts';
export * from './goal-events.ts';
export * from './goal-reply.ts';
export * from './goal-rounds.ts';
export * from './goal-tools.ts';
export * from './goal.ts';
