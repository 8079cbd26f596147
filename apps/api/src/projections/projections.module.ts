import { Module } from '@nestjs/common';
import { ProjectionsController } from './projections.controller.ts';
import { ProjectionsService } from './projections.service.ts';

@Module({ controllers: [ProjectionsController], providers: [ProjectionsService] })
export class ProjectionsModule {}
