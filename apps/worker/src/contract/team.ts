import type { MessageEntry, SessionId, Team, TeamAnswer, TeamQuestion } from '@everturn/core/domain';
import type { SessionRef } from './commit.ts';

/** A part of a team: everybody, what waits to be read, and so many tasks. */
export interface TeamPage {
  team: Team;
  /** Members and lead that are at work. */
  running: SessionId[];
  /** The first task of the next page. */
  next?: number;
}

/** What became of a message that was to be handed to its target. */
export type HandMailResult =
  | { kind: 'taken' }
  /** Its target has read it before, or dropped it. */
  | { kind: 'read' }
  /** For the caller itself. */
  | { kind: 'own'; entry: MessageEntry }
  /** Its target has to be started, and will find it. */
  | { kind: 'gone'; preview: string; searchAttributes: boolean }
  /** Its target takes nothing now. */
  | { kind: 'refused' };

/** Activities about teams that need Postgres. */
export interface TeamActivities {
  /** The team the session leads as its log tells it, in parts that can travel. */
  loadTeam(input: SessionRef & { from: number }): Promise<TeamPage>;
  /** What somebody of a team wants to know, from the log of its lead. */
  answerTeam(input: SessionRef & { lead: SessionId; question: TeamQuestion }): Promise<TeamAnswer>;
  /** Hands a message that the session's log keeps to its target; again, if it did not get there before. */
  handMail(input: SessionRef & { target: SessionId; messageId: string }): Promise<HandMailResult>;
  /** Which of these messages their target has read, or dropped. */
  readMail(input: SessionRef & { target: SessionId; ids: string[] }): Promise<{ read: string[] }>;
  /** Whether a member that was being made when the session died is there, with its task. */
  findMember(
    input: SessionRef & { member: SessionId; provider: string },
  ): Promise<{ kind: 'there'; preview: string; searchAttributes: boolean } | { kind: 'missing' }>;
}
