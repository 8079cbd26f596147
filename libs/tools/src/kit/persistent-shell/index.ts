export * from './command-output.ts';
export * from './run-in-shell.ts';
export * from './shell-dialect.ts';
