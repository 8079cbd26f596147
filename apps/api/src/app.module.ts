import { Module, type DynamicModule } from '@nestjs/common';
import type { ApiConfig } from '@everturn/core/config';
import type { Logger } from 'pino';
import { AttachmentsModule } from './attachments/attachments.module.ts';
import { ChildrenModule } from './children/children.module.ts';
import { CommandsModule } from './commands/commands.module.ts';
import { ControlModule } from './control/control.module.ts';
import { CredentialsModule } from './credentials/credentials.module.ts';
import { EffectsModule } from './effects/effects.module.ts';
import { EventsModule } from './events/events.module.ts';
import { ExportModule } from './export/export.module.ts';
import { FeedbackModule } from './feedback/feedback.module.ts';
import { GoalsModule } from './goals/goals.module.ts';
import { HostModule } from './host/host.module.ts';
import { ImportModule } from './import/import.module.ts';
import { InspectModule } from './inspect/inspect.module.ts';
import { InteractionsModule } from './interactions/interactions.module.ts';
import { JobsModule } from './jobs/jobs.module.ts';
import { KnobsModule } from './knobs/knobs.module.ts';
import { LineageModule } from './lineage/lineage.module.ts';
import { LlmModule } from './llm/llm.module.ts';
import { MessagesModule } from './messages/messages.module.ts';
import { PermissionsModule } from './permissions/permissions.module.ts';
import { openApiDocument } from './platform/openapi/document.ts';
import { listRoutes } from './platform/openapi/list-routes.ts';
import { PlatformModule } from './platform/platform.module.ts';
import { VERSION } from './platform/version.ts';
import { PromptsModule } from './prompts/prompts.module.ts';
import { RemindersModule } from './reminders/reminders.module.ts';
import { SchedulesModule } from './schedules/schedules.module.ts';
import { ProjectionsModule } from './projections/projections.module.ts';
import { SearchModule } from './search/search.module.ts';
import { SkillsModule } from './skills/skills.module.ts';
import { SettingsModule } from './settings/settings.module.ts';
import { TeamModule } from './team/team.module.ts';
import { SessionsModule } from './sessions/sessions.module.ts';
import { WebhooksModule } from './webhooks/webhooks.module.ts';

const features = [
  SessionsModule,
  PromptsModule,
  ControlModule,
  EventsModule,
  MessagesModule,
  InspectModule,
  InteractionsModule,
  PermissionsModule,
  KnobsModule,
  LlmModule,
  CredentialsModule,
  CommandsModule,
  ExportModule,
  ImportModule,
  FeedbackModule,
  EffectsModule,
  AttachmentsModule,
  JobsModule,
  WebhooksModule,
  GoalsModule,
  RemindersModule,
  SchedulesModule,
  LineageModule,
  ChildrenModule,
  TeamModule,
  SkillsModule,
  SearchModule,
  ProjectionsModule,
  SettingsModule,
  HostModule,
];

/** The API: its features over one platform. */
@Module({ imports: features })
export class AppModule {
  static with(input: { config: ApiConfig; logger: Logger }): DynamicModule {
    const document = () => openApiDocument({ routes: listRoutes(AppModule.with(input)), version: VERSION });
    return { module: AppModule, imports: [PlatformModule.with({ ...input, document })] };
  }
}
