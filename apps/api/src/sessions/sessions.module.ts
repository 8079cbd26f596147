import { Module } from '@nestjs/common';
import { CreateSessionService } from './create-session.service.ts';
import { SessionsController } from './sessions.controller.ts';
import { SessionsService } from './sessions.service.ts';

@Module({ controllers: [SessionsController], providers: [CreateSessionService, SessionsService] })
export class SessionsModule {}
