export * from './bundles/bundles.ts';
export * from './commands.ts';
export * from './core-registrations.ts';
<<<<<<< HEAD
export * from './define-plugin.ts';
=======
export * from './hooks/index.ts';
>>>>>>> 63dfc22 (External hooks of the claude and codex dialects, and by HTTP: read, run, told in the log)
export * from './inspect/index.ts';
export * from './listeners.ts';
export * from './live.ts';
export * from './load-plugins.ts';
export * from './mcp-tools.ts';
export * from './plugin-api.ts';
export * from './plugin-error.ts';
export * from './points.ts';
export * from './registry.ts';
export * from './registry-layer.ts';
export * from './registry-view.ts';
export * from './system-prompt.ts';
