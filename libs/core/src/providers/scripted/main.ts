import { scriptedConfig } from '../../config/index.ts';
import { startScriptedModel } from './start-scripted-model.ts';

/** The process of the scripted model: says its port in one line of JSON on stdout, and ends on SIGTERM. */
const model = await startScriptedModel({ port: scriptedConfig().port });
process.stdout.write(`${JSON.stringify({ ready: true, port: model.port })}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => void model.close().then(() => process.exit(0)));
}
