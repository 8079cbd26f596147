import { Module } from '@nestjs/common';
import { TeamController } from './team.controller.ts';
import { TeamService } from './team.service.ts';

@Module({ controllers: [TeamController], providers: [TeamService] })
export class TeamModule {}
