import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ApiConfig } from '@everturn/core/config';
import { isLoopback } from './platform/http/loopback.ts';
import { StartError } from './start-error.ts';
import { TOOL_MODE } from './platform/tool-mode.ts';

/** Listens where the configuration says; answers the port. A default port that is taken is exchanged for a free one. */
export async function listen(app: NestFastifyApplication, { host, port, whenPortTaken }: ApiConfig): Promise<number> {
  if (!(await isLoopback(host))) {
    throw new StartError(
      'API_NOT_LOOPBACK',
      `EVERTURN_API_HOST is ${host}, but tools run in the mode ${TOOL_MODE}: whoever reaches the API controls this machine. ` +
        'Set it to 127.0.0.1 and put an authenticating proxy on the same machine before it.',
    );
  }
  try {
    await app.listen(port, host);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (whenPortTaken === 'fail') {
      throw new StartError(
        'API_PORT_TAKEN',
        `EVERTURN_API_PORT ${port} is taken: end what uses it, or choose another`,
        { cause: error },
      );
    }
    await app.listen(0, host);
  }
  const address = app.getHttpServer().address() as { port: number };
  return address.port;
}
