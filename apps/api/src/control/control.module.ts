import { Module } from '@nestjs/common';
import { ControlController } from './control.controller.ts';
import { ControlService } from './control.service.ts';

@Module({ controllers: [ControlController], providers: [ControlService] })
export class ControlModule {}
