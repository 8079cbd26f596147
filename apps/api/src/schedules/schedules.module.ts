import { Module } from '@nestjs/common';
import { SchedulesController } from './schedules.controller.ts';
import { SchedulesService } from './schedules.service.ts';

@Module({ controllers: [SchedulesController], providers: [SchedulesService] })
export class SchedulesModule {}
