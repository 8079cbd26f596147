import { Module } from '@nestjs/common';
import { EventsController } from './events.controller.ts';
import { EventsService } from './events.service.ts';
import { FeedService } from './feed.service.ts';

@Module({ controllers: [EventsController], providers: [EventsService, FeedService] })
export class EventsModule {}
