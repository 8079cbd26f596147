import { Global, Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import type { ApiConfig } from '@everturn/core/config';
import type { Logger } from 'pino';
import { AuthGuard } from './auth/auth.guard.ts';
import { KeyRing } from './auth/key-ring.ts';
import { ErrorFilter } from './errors/error.filter.ts';
import { HealthController } from './health/health.controller.ts';
import { HealthService } from './health/health.service.ts';
import { MetricsController } from './metrics/metrics.controller.ts';
import { OpenApiController } from './openapi/openapi.controller.ts';
import { OPENAPI_DOCUMENT } from './openapi/openapi-token.ts';
import { PostgresModule } from './postgres.module.ts';
import { CommandDesk } from './requests/command-desk.ts';
import { CommandRunner } from './requests/command-runner.ts';
import { CommandWait } from './requests/command-wait.ts';
import { KnobDesk } from './requests/knob-desk.ts';
import { ModelRoutes } from './requests/model-routes.ts';
import { PictureDesk } from './requests/picture-desk.ts';
import { PromptDesk } from './requests/prompt-desk.ts';
import { RequestDesk } from './requests/request-desk.ts';
import { SandboxSwitch } from './requests/sandbox-switch.ts';
import { SessionAccess } from './requests/session-access.ts';
import { Shutdown } from './shutdown.ts';
import { OpenStreams } from './sse/open-streams.ts';
import { TemporalModule } from './temporal.module.ts';
import { CONFIG, LOGGER } from './tokens.ts';

interface PlatformInput {
  config: ApiConfig;
  logger: Logger;
  /** Makes the OpenAPI document when it is first needed. */
  document: () => object;
}

/** Everything features share: who asks, what is refused how, where things are kept, how sessions are reached. */
@Global()
@Module({
  imports: [PostgresModule, TemporalModule],
  controllers: [HealthController, MetricsController, OpenApiController],
})
export class PlatformModule {
  static with({ config, logger, document }: PlatformInput): DynamicModule {
    const shared = [
      { provide: CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      SessionAccess,
      RequestDesk,
      PromptDesk,
      KnobDesk,
      CommandWait,
      CommandDesk,
      CommandRunner,
      ModelRoutes,
      PictureDesk,
      SandboxSwitch,
      OpenStreams,
      Shutdown,
    ];
    return {
      module: PlatformModule,
      providers: [
        ...shared,
        { provide: OPENAPI_DOCUMENT, useFactory: document },
        { provide: APP_GUARD, useClass: AuthGuard },
        { provide: APP_FILTER, useClass: ErrorFilter },
        KeyRing,
        HealthService,
      ],
      exports: shared,
    };
  }
}
