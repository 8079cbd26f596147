import { Module } from '@nestjs/common';
import { PromptsController } from './prompts.controller.ts';
import { PromptsService } from './prompts.service.ts';
import { RequestsService } from './requests.service.ts';
import { TurnWait } from './turn-wait.ts';

@Module({ controllers: [PromptsController], providers: [PromptsService, RequestsService, TurnWait] })
export class PromptsModule {}
