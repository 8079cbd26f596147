export * from './config-error.ts';
export * from './env.ts';
export type { LanguageServerConfig } from './language-servers-file.ts';
export type * from './mcp-config.ts';
export type * from './process-config.ts';
export type * from './provider-route-config.ts';
export type * from './providers-config.ts';
export type * from './web-config.ts';
export { Secret } from './secret.ts';
