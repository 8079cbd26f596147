import { Module } from '@nestjs/common';
import { KnobsController } from './knobs.controller.ts';
import { KnobsService } from './knobs.service.ts';

@Module({ controllers: [KnobsController], providers: [KnobsService] })
export class KnobsModule {}
