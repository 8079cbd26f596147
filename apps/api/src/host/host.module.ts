import { Module } from '@nestjs/common';
import { HostController } from './host.controller.ts';
import { HostService } from './host.service.ts';

@Module({ controllers: [HostController], providers: [HostService] })
export class HostModule {}
