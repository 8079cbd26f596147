import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { ScriptedState } from './completions.ts';
import { refuse } from './refuse.ts';
import { ScriptRules } from './script.ts';

const SetScript = z.strictObject({ name: z.string().min(1), rules: ScriptRules });
const NameGate = z.strictObject({ gate: z.string().min(1) });

/** Lets a test in another process set scripts, release gates, wait for them, and read what was asked. */
export async function control(
  state: ScriptedState,
  input: { route: string; bytes: Uint8Array; response: ServerResponse },
): Promise<void> {
  const { route, bytes, response } = input;
  const reply = (body: unknown) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const read = <T>(schema: z.ZodType<T>) => schema.safeParse(parse(bytes));
  switch (route) {
    case 'POST /control/script': {
      const body = read(SetScript);
      if (!body.success) return refuse(response, { status: 400, message: z.prettifyError(body.error) });
      state.scripts.set(body.data.name, body.data.rules);
      return reply({ scripts: [...state.scripts.keys()] });
    }
    case 'POST /control/release':
    case 'POST /control/held': {
      const body = read(NameGate);
      if (!body.success) return refuse(response, { status: 400, message: z.prettifyError(body.error) });
      if (route.endsWith('release')) state.gates.release(body.data.gate);
      else await state.gates.held(body.data.gate);
      return reply(body.data);
    }
    case 'GET /control/requests':
      return reply(state.requests);
    default:
      return refuse(response, { status: 404, message: `there is no ${route}` });
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}
