import { createServer } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ApiConfig } from '@everturn/core/config';
import { isLoopback } from './platform/http/loopback.ts';
import { StartError } from './start-error.ts';

/** Listens where the configuration says; answers the port. A default port that is taken is exchanged for a free one. */
export async function listen(
  app: NestFastifyApplication,
  { host, port, whenPortTaken, permissionMode }: ApiConfig,
): Promise<number> {
  if (permissionMode === 'danger-full-access' && !(await isLoopback(host))) {
    throw new StartError(
      'API_NOT_LOOPBACK',
      `EVERTURN_API_HOST is ${host}, but tools run in the mode ${permissionMode}: whoever reaches the API controls this machine. ` +
        'Set it to 127.0.0.1 and put an authenticating proxy on the same machine before it, or set EVERTURN_PERMISSION_MODE to a mode that confines.',
    );
  }
  if (whenPortTaken === 'take-another' && !(await isFree(port, host))) await app.listen(0, host);
  else await claim(app, port, host);
  const address = app.getHttpServer().address() as { port: number };
  return address.port;
}

async function claim(app: NestFastifyApplication, port: number, host: string): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
    const remedy = 'end what uses it, or choose another';
    throw new StartError('API_PORT_TAKEN', `EVERTURN_API_PORT ${port} is taken: ${remedy}`, { cause });
  }
}

/** Tried on the side, because Nest calls a port that is taken an error in the log. */
async function isFree(port: number, host: string): Promise<boolean> {
  const probe = createServer();
  const free = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false)).listen(port, host, () => resolve(true));
  });
  if (free) await new Promise((resolve) => probe.close(resolve));
  return free;
}
