import { Module } from '@nestjs/common';
import { LlmController } from './llm.controller.ts';
import { LlmService } from './llm.service.ts';

@Module({ controllers: [LlmController], providers: [LlmService] })
export class LlmModule {}
