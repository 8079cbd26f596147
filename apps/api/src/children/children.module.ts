import { Module } from '@nestjs/common';
import { ChildrenController } from './children.controller.ts';
import { ChildrenService } from './children.service.ts';

@Module({ controllers: [ChildrenController], providers: [ChildrenService] })
export class ChildrenModule {}
