export * from './assemble.ts';
export * from './birth.ts';
export * from './claims.ts';
export * from './commit.ts';
export * from './intercept.ts';
export * from './model.ts';
export * from './tool.ts';
