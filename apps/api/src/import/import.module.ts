import { Module } from '@nestjs/common';
import { ImportController } from './import.controller.ts';
import { ImportService } from './import.service.ts';
import { OneAtATime } from './one-at-a-time.ts';

@Module({ controllers: [ImportController], providers: [ImportService, OneAtATime] })
export class ImportModule {}
