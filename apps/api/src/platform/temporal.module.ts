import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { temporalTls, type ApiConfig } from '@everturn/core/config';
import { Client, Connection } from '@temporalio/client';
import { AnswerMessenger } from './delivery/answer-messenger.ts';
import { SessionMessenger } from './delivery/session-messenger.ts';
import { UpdateBudget } from './delivery/update-budget.ts';
import { CONFIG, TEMPORAL } from './tokens.ts';

/** Temporal, and the ways to bring a message to a workflow. */
@Global()
@Module({
  providers: [
    {
      provide: TEMPORAL,
      inject: [CONFIG],
      useFactory: ({ temporal }: ApiConfig): Client => {
        const connection = Connection.lazy({
          address: temporal.address,
          tls: temporalTls(temporal),
          ...(temporal.apiKey && { apiKey: temporal.apiKey.reveal() }),
        });
        return new Client({ connection, namespace: temporal.namespace });
      },
    },
    SessionMessenger,
    AnswerMessenger,
    UpdateBudget,
  ],
  exports: [TEMPORAL, SessionMessenger, AnswerMessenger, UpdateBudget],
})
export class TemporalModule implements OnApplicationShutdown {
  constructor(@Inject(TEMPORAL) private readonly client: Client) {}

  async onApplicationShutdown(): Promise<void> {
    await this.client.connection.close();
  }
}
