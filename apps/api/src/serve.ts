import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ApiConfig } from '@everturn/core/config';
import type { Logger } from 'pino';
import { AppModule } from './app.module.ts';
import { lineUpImports } from './import/import-place.ts';
import { OneAtATime } from './import/one-at-a-time.ts';
import { askBeforeReading } from './platform/auth/ask-before-reading.ts';
import { KeyRing } from './platform/auth/key-ring.ts';
import { fastifyOptions } from './platform/http/fastify-options.ts';
import { readBodies } from './platform/http/json-body.ts';
import { refuseWhileEnding } from './platform/http/refuse-while-ending.ts';
import { measureRequests } from './platform/metrics/measure-requests.ts';
import { listen } from './listen.ts';
import { Shutdown } from './platform/shutdown.ts';
import { nestLogger } from './platform/nest-logger.ts';

export interface Served {
  port: number;
  /**
   * Ends event streams so that they can be resumed, answers those who wait how far it came, refuses what comes now, lets
   * other requests finish, then closes every connection.
   */
  close(): Promise<void>;
}

/** Starts the API; rejects when its port cannot be had or its address is not one it may serve. */
export async function serve(config: ApiConfig, logger: Logger): Promise<Served> {
  const adapter = new FastifyAdapter(fastifyOptions);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.with({ config, logger }), adapter, {
    bodyParser: false,
    logger: nestLogger(logger),
    abortOnError: false,
  });
  const fastify = adapter.getInstance();
  readBodies(fastify);
  refuseWhileEnding(fastify, app.get(Shutdown));
  askBeforeReading(fastify, app.get(KeyRing));
  lineUpImports(fastify, app.get(OneAtATime, { strict: false }));
  measureRequests(fastify);
  await app.init();
  const port = await listen(app, config);
  return { port, close: () => app.close() };
}
