import { Module } from '@nestjs/common';
import { GoalsController } from './goals.controller.ts';
import { GoalsService } from './goals.service.ts';

@Module({ controllers: [GoalsController], providers: [GoalsService] })
export class GoalsModule {}
