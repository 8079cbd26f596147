import 'reflect-metadata';
import { flushCompileCache } from 'node:module';
import { apiConfig } from '@everturn/core/config';
import pino from 'pino';
import { openLogger } from './platform/open-logger.ts';
import { serve } from './serve.ts';

const config = apiConfig();
// Standard output belongs to the ready line.
const logger = openLogger(config.logLevel, pino.destination({ dest: 2, sync: true }));

try {
  const served = await serve(config, logger);
  process.stdout.write(`${JSON.stringify({ ready: true, port: served.port, mode: config.permissionMode })}\n`);
  flushCompileCache(); // one that is killed could not do it at its end
  const facts = { port: served.port, mode: config.permissionMode };
  if (config.permissionMode === 'danger-full-access')
    logger.warn(facts, 'tools may do everything this machine allows; only loopback is served');
  else logger.info(facts, 'tools are confined unless a session says otherwise');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void drain(served.close, signal));
} catch (error) {
  logger.fatal(describe(error), 'the API cannot start');
  process.exitCode = 1;
  setImmediate(() => process.exit());
}

async function drain(close: () => Promise<void>, signal: string): Promise<void> {
  logger.info({ signal }, 'draining');
  const overdue = setTimeout(() => process.exit(1), config.shutdownGraceMs);
  await close();
  clearTimeout(overdue);
  process.exit(0);
}

function describe(error: unknown): object {
  const { code, message } = error as Error & { code?: string };
  return { code, reason: message };
}
