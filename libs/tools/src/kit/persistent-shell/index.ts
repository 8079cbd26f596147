export * from './command-output.ts';
export * from './kept-shell-tool.ts';
export * from './run-in-shell.ts';
export * from './shell-dialect.ts';
