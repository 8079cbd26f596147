import { Module } from '@nestjs/common';
import { FeedbackController } from './feedback.controller.ts';
import { FeedbackService } from './feedback.service.ts';

@Module({ controllers: [FeedbackController], providers: [FeedbackService] })
export class FeedbackModule {}
