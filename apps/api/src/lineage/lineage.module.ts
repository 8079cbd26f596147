import { Module } from '@nestjs/common';
import { LineageController } from './lineage.controller.ts';
import { LineageService } from './lineage.service.ts';

@Module({ controllers: [LineageController], providers: [LineageService] })
export class LineageModule {}
