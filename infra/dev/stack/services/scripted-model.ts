import { choosePort } from '../../../process/port.ts';
import { startNodeChild } from '../node-child.ts';
import type { Service } from '../service.ts';

/** The stand-in for a model: a real HTTP server with the OpenAI wire format that answers from scripts. */
export const scriptedModel: Service = {
  name: 'model',
  async start({ paths, environment, before }) {
    const again = before?.provides['EVERTURN_SCRIPTED_URL'];
    const port = again ? Number(new URL(again).port) : await choosePort();
    const child = await startNodeChild({
      name: 'model',
      entry: 'libs/core/src/providers/scripted/main.ts',
      environment: { ...environment, EVERTURN_SCRIPTED_PORT: String(port) },
      logs: paths.logs,
      graceMs: 5000,
    });
    const { ready } = child;
    const url = typeof ready['url'] === 'string' ? ready['url'] : `http://127.0.0.1:${String(ready['port'])}/v1`;
    return { ...child, detail: `scripted, not a real model: ${url}`, provides: { EVERTURN_SCRIPTED_URL: url } };
  },
};

/** Whether the user's environment names a model of their own. */
export function namesOwnModel(env: NodeJS.ProcessEnv): boolean {
  const names = [
    'OPENAI_BASE_URL',
    'OPENAI_API_KEY',
    'DEEPSEEK_API_KEY',
    'ANTHROPIC_API_KEY',
    'EVERTURN_PROVIDERS_FILE',
    'EVERTURN_SCRIPTED_URL',
  ];
  return names.some((name) => Boolean(env[name]));
}
