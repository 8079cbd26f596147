import { Module } from '@nestjs/common';
import { InteractionsController } from './interactions.controller.ts';
import { InteractionsService } from './interactions.service.ts';

@Module({ controllers: [InteractionsController], providers: [InteractionsService] })
export class InteractionsModule {}
