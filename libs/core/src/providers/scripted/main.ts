import { scriptedConfig } from '../../config/index.ts';
import { startScriptedModel } from './start-scripted-model.ts';

/** The process of the scripted model: says its port in one line of JSON on stdout, and ends on SIGTERM. */
try {
  const model = await startScriptedModel({ port: scriptedConfig().port });
  process.stdout.write(`${JSON.stringify({ ready: true, port: model.port })}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void model.close().then(() => process.exit(0)));
  }
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`the scripted model cannot start: ${reason}; set EVERTURN_SCRIPTED_PORT to a free port or 0\n`);
  process.exitCode = 1;
}
