import { Module } from '@nestjs/common';
import { AttachmentsController } from './attachments.controller.ts';
import { UploadsController } from './uploads.controller.ts';
import { AttachmentsService } from './attachments.service.ts';

@Module({ controllers: [AttachmentsController, UploadsController], providers: [AttachmentsService] })
export class AttachmentsModule {}
