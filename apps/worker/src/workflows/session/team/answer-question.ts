import { getExternalWorkflowHandle, uuid4 } from '@temporalio/workflow';
import {
  changeTask,
  checkWait,
  createTask,
  interruptible,
  isTeamError,
  taskFact,
  teamError,
  viewTask,
  waitInVain,
  type RequestId,
  type SessionId,
  type TeamError,
  type TeamReply,
  type TeamTask,
} from '@everturn/core/domain';
import {
  sessionWorkflowId,
  type AskedBefore,
  type AskSession,
  type CancelRequest,
  type SessionQuestion,
  type TeamWaiter,
} from '@everturn/core/protocol';
import { answerStep } from '../answer-step.ts';
import { errand } from '../session-errands.ts';
import type { SessionState } from '../session-state.ts';
import { sendMail } from './send-mail.ts';
import { spawn } from './spawn-member.ts';
import type { TeamDesk } from './open-desk.ts';
import { remember, teamDesk, teamErrand, write } from './team-desk.ts';

type TeamQuestion = Extract<SessionQuestion, { about: 'team' }>;

/** What a refusal or an answer is worth to the tool that asked. */
export const replyOf = (answer: object): TeamReply =>
  isTeamError(answer)
    ? { kind: 'team-refused', error: answer }
    : // Plain data, which interfaces do not say of themselves.
      { kind: 'team', value: answer as Extract<TeamReply, { kind: 'team' }>['value'] };

/** Answers a tool of the lead or of a member; what it changes is in the log before. */
export function answerTeamQuestion(
  session: SessionState,
  { id, replyTo, question }: Omit<AskSession, 'question'> & { question: TeamQuestion },
): void {
  if (!remember(teamDesk(session), id)) return;
  const answer = (reply: TeamReply) => answerStep(session, replyTo, { id, reply });
  if (session.closing) return answer(replyOf(DISPOSED));
  teamErrand(session, async (desk) => {
    if (session.closing) return answer(replyOf(DISPOSED));
    const { from, request } = question;
    if (request.operation === 'wait') return wait(session, desk, { id, replyTo, from }, request.timeoutMs);
    answer(await serve(session, desk, question, request));
  });
}

/** A step has waited long. If its question is not known here, a life of this session that is over may have taken it. */
export function answerWhetherAsked(session: SessionState, { id, replyTo }: AskedBefore): void {
  if (!session.team?.asked.includes(id)) answerStep(session, replyTo, { id, reply: { kind: 'team-lost' } });
}

async function serve(
  session: SessionState,
  desk: TeamDesk,
  { from, rules, as }: TeamQuestion,
  request: Exclude<TeamQuestion['request'], { operation: 'wait' }>,
): Promise<TeamReply> {
  switch (request.operation) {
    case 'spawn':
      return spawn(session, desk, { caller: from, wish: request, rules, as });
    case 'send':
      return sendMail(session, desk, { caller: from, ...request, rules });
    case 'interrupt':
      return replyOf(interrupt(session, desk, from, request.target));
    case 'create-task':
      return putTask(session, desk, createTask(desk.team, from, request.task, rules));
    case 'change-task':
      return putTask(session, desk, changeTask(desk.team, from, request.change));
  }
}

async function putTask(session: SessionState, desk: TeamDesk, task: TeamTask | TeamError): Promise<TeamReply> {
  if (isTeamError(task)) return replyOf(task);
  const written = write(session, desk, [taskFact(desk.team, task)]);
  const view = viewTask(desk.team, task);
  await written;
  return replyOf(view);
}

function wait(session: SessionState, desk: TeamDesk, waiter: TeamWaiter, timeoutMs: number): void {
  const { id, replyTo, from } = waiter;
  const answer = checkWait(timeoutMs) ?? waitInVain(desk.team, from, (who) => isAtWork(session, desk, who));
  if (answer) answerStep(session, replyTo, { id, reply: replyOf(answer) });
  else desk.waiters = [...desk.waiters.filter((other) => other.from !== from), waiter];
}

/** Whether somebody of the team has something in hand. */
function isAtWork(session: SessionState, { atWork, team }: TeamDesk, who: SessionId): boolean {
  if (who !== team.id) return atWork.has(who) || session.children[who] !== undefined;
  return session.running !== undefined || session.queue.queued.length > 0;
}

function interrupt(session: SessionState, desk: TeamDesk, caller: SessionId, target: string): object {
  const member = interruptible(desk.team, caller, target);
  if (isTeamError(member)) return member;
  const request: CancelRequest = { requestId: `int-${uuid4()}` as RequestId, cause: 'parent', queue: 'park' };
  const previousStatus = isAtWork(session, desk, member.id) ? 'running' : 'inactive';
  errand(session, () =>
    getExternalWorkflowHandle(sessionWorkflowId(member.id))
      .signal<[CancelRequest]>('cancel', request)
      .catch(() => undefined),
  );
  return { previousStatus };
}

const DISPOSED = teamError('TEAM_DISPOSED', 'the session that leads the team is closing, and the team with it');
