import { Module } from '@nestjs/common';
import { InspectController } from './inspect.controller.ts';
import { InspectService } from './inspect.service.ts';

@Module({ controllers: [InspectController], providers: [InspectService] })
export class InspectModule {}
