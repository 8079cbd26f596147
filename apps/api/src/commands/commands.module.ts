import { Module } from '@nestjs/common';
import { CommandsController } from './commands.controller.ts';

@Module({ controllers: [CommandsController] })
export class CommandsModule {}
