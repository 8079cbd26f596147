import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { quickReconnect, temporalTls, type ApiConfig } from '@everturn/core/config';
import { payloadStore, type Database } from '@everturn/core/postgres';
import { guardedConverter } from '@everturn/core/protocol';
import { Client, Connection } from '@temporalio/client';
import { AnswerMessenger } from './delivery/answer-messenger.ts';
import { SessionMessenger } from './delivery/session-messenger.ts';
import { UpdateBudget } from './delivery/update-budget.ts';
import { CONFIG, DATABASE, TEMPORAL } from './tokens.ts';

/** Temporal, and the ways to bring a message to a workflow. */
@Global()
@Module({
  providers: [
    {
      provide: TEMPORAL,
      inject: [CONFIG, DATABASE],
      useFactory: ({ temporal }: ApiConfig, database: Database): Client => {
        const connection = Connection.lazy({
          address: temporal.address,
          tls: temporalTls(temporal),
          channelArgs: quickReconnect,
          ...(temporal.apiKey && { apiKey: temporal.apiKey.reveal() }),
        });
        return new Client({
          connection,
          namespace: temporal.namespace,
          dataConverter: guardedConverter(payloadStore(database)),
        });
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
