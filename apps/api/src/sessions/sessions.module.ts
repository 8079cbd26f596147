import { Module } from '@nestjs/common';
import { CreateSessionService } from './create-session.service.ts';
import { IdleWait } from './idle-wait.ts';
import { SessionsController } from './sessions.controller.ts';
import { SessionsService } from './sessions.service.ts';

@Module({ controllers: [SessionsController], providers: [CreateSessionService, IdleWait, SessionsService] })
export class SessionsModule {}
