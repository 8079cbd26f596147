import { Module } from '@nestjs/common';
import { EffectsController } from './effects.controller.ts';
import { EffectsService } from './effects.service.ts';

@Module({ controllers: [EffectsController], providers: [EffectsService] })
export class EffectsModule {}
