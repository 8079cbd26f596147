export * from './ask-http-hook.ts';
export * from './external-hooks.ts';
export * from './hook-handler.ts';
export * from './hook-settings.ts';
export * from './post-signed.ts';
export * from './register-hooks.ts';
export * from './run-command-hook.ts';
export * from './sign-delivery.ts';
