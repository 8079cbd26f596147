export * from './after-round.ts';
export * from './ralph-report.ts';
export * from './ralph-text.ts';
export * from './round-prompt.ts';
