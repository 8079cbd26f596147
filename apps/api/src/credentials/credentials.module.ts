import { Module } from '@nestjs/common';
import { CredentialsController } from './credentials.controller.ts';
import { CredentialsService } from './credentials.service.ts';

@Module({ controllers: [CredentialsController], providers: [CredentialsService] })
export class CredentialsModule {}
