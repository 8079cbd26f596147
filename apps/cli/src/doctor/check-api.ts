import { z } from 'zod';
import { ApiClient } from '../platform/api-client.ts';
import { ApiRefusal, CliError } from '../platform/cli-error.ts';
import type { Settings } from '../platform/settings.ts';
import { inertLine } from '../terminal/inert.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

const HostReport = z.looseObject({
  mode: z.string(),
  providers: z.array(z.looseObject({ id: z.string(), name: z.string() })),
  defaultRoute: z.looseObject({ provider: z.string(), model: z.string() }).optional(),
  workers: z.array(
    z.looseObject({
      id: z.string(),
      roots: z.array(z.string()),
      mcp: z
        .array(z.looseObject({ name: z.string(), state: z.string(), tools: z.int(), notices: z.array(z.string()) }))
        .default([]),
      sandbox: z.looseObject({ runner: z.string().optional() }).optional(),
    }),
  ),
});
type HostReport = z.infer<typeof HostReport>;

/** Whether the API answers and takes our key, and which workers and models stand behind it. */
export async function checkApi(settings: Settings): Promise<Finding[]> {
  try {
    const report = await new ApiClient(settings, 0).json({ path: '/v1/host' }, HostReport);
    const api = ok('API', `${settings.apiUrl}, the key is valid`);
    return [api, modeFinding(report), workersFinding(report), modelFinding(report), ...mcpFindings(report)];
  } catch (error) {
    if (error instanceof CliError || error instanceof ApiRefusal) return [unusable(settings.apiUrl, error)];
    throw error;
  }
}

function unusable(url: string, error: CliError | ApiRefusal): Finding {
  if (error instanceof CliError) {
    const [what = '', remedy = 'see above'] = error.message.split(' → ');
    return fail('API', what, remedy);
  }
  const remedy =
    error.status === 401
      ? 'make a key with `npm run everturn -- keys create --tenant <tenant>` and set EVERTURN_API_KEY'
      : 'read the log of the API';
  return fail('API', inertLine(`${url}: ${error.code}: ${error.message}`, 300), remedy);
}

function modeFinding({ mode, workers }: HostReport): Finding {
  const bare = workers
    .filter(({ sandbox }) => sandbox && sandbox.runner === undefined)
    .map(({ id }) => inertLine(id, 60));
  if (mode !== 'danger-full-access' && bare.length > 0)
    return fail(
      'Tools',
      `${inertLine(mode, 60)}, which nothing on ${bare.join(', ')} can keep commands to, so they are refused`,
      'install bubblewrap (apt install bubblewrap) there, or python3 where the kernel has Landlock',
    );
  if (mode !== 'danger-full-access') {
    const runners = new Set(workers.flatMap(({ sandbox }) => sandbox?.runner ?? []));
    return ok('Tools', inertLine([mode, ...runners].join(', by '), 120));
  }
  return warn(
    'Tools',
    'run unconfined (danger-full-access)',
    'keep the API on loopback and point it only at work you trust it with',
  );
}

function workersFinding({ workers }: HostReport): Finding {
  if (workers.length === 0) return fail('Workers', 'none is alive', 'start one with `npm run up`');
  return ok(
    'Workers',
    workers
      .map(({ id, roots }) => `${inertLine(id, 60)} (${roots.map((root) => inertLine(root, 120)).join(', ')})`)
      .join('; '),
  );
}

/** One line for each MCP server of each worker. */
function mcpFindings({ workers }: HostReport): Finding[] {
  return workers.flatMap(({ id, mcp }) =>
    mcp.map(({ name, state, tools, notices }) => {
      const detail = inertLine(`${name} on ${id}: ${state}, ${tools} tools`, 160);
      if (state !== 'connected') return warn('MCP', detail, 'read the log of the worker; it says why');
      if (notices.length === 0) return ok('MCP', detail);
      return warn('MCP', detail, inertLine(notices.join('; '), 300));
    }),
  );
}

function modelFinding({ providers, defaultRoute }: HostReport): Finding {
  const names = providers.map(({ id }) => inertLine(id, 60)).join(', ');
  const remedy =
    'set OPENAI_BASE_URL and OPENAI_API_KEY (or DEEPSEEK_API_KEY or ANTHROPIC_API_KEY, or EVERTURN_PROVIDERS_FILE) and start again';
  if (!defaultRoute)
    return fail('Models', names === '' ? 'no provider is configured' : `no default among ${names}`, remedy);
  const route = `${inertLine(defaultRoute.model, 80)} by ${inertLine(defaultRoute.provider, 60)}; providers: ${names}`;
  if (defaultRoute.provider === 'scripted')
    return warn('Models', `${route} (scripted: answers from a script, no AI)`, remedy);
  return ok('Models', route);
}
