import { condition, getExternalWorkflowHandle, workflowInfo } from '@temporalio/workflow';
import { nextAskMs, teamError, type TeamReply, type TeamRequest } from '@everturn/core/domain';
import { sessionWorkflowId, type AskedBefore, type AskSession, type SessionQuestion } from '@everturn/core/protocol';
import type { TeamPort } from '@everturn/tools/kit';
import type { RequestedCall } from '../../contract/index.ts';
import { answerTeam } from '../proxies.ts';
import { settingsOf } from './offered-tool.ts';
import { placeOf, stepRef, type StepState } from './step-state.ts';

/** The team that one call of a step may use; absent where the session has none. */
export function teamOf(step: StepState, call: RequestedCall): TeamPort | undefined {
  const { team } = step.assembly;
  return (
    team && {
      ask: (request) => ask(step, call, request),
      async read(question) {
        await step.writer.flush();
        return answerTeam({ ...stepRef(step.input), lead: team.lead, question });
      },
    }
  );
}

async function ask(step: StepState, call: RequestedCall, request: TeamRequest): Promise<TeamReply | undefined> {
  await step.writer.flush(); // the call is in the log before anything is done
  const { session, turn, step: number } = step.input;
  const id = `${session}/t${turn}.s${number}.c${placeOf(step, call)}`;
  const { workflowId: replyTo } = workflowInfo();
  const lead = getExternalWorkflowHandle(sessionWorkflowId(step.assembly.team?.lead ?? session));
  const asking = () => lead.signal<[AskSession]>('ask', { id, replyTo, question: questionOf(step, call, request) });
  if (!(await sent(asking()))) return DISPOSED;
  const answered = () => step.replies.of(id) !== undefined || step.stop.requested;
  const until = request.operation === 'wait' ? Date.now() + request.timeoutMs : Number.POSITIVE_INFINITY;
  // A session that dies forgets a question, so a step asks whether it was heard: ever less often, as each time stays
  // in the history of the lead.
  const pauseMs = (asked: number) => Math.min(nextAskMs(asked), Math.max(1, until - Date.now()));
  for (let asked = 0; !(await condition(answered, pauseMs(asked))); asked += 1) {
    if (Date.now() >= until) return { kind: 'team', value: { timedOut: true } };
    if (!(await sent(lead.signal<[AskedBefore]>('asked', { id, replyTo })))) return { kind: 'team-lost' };
  }
  // A session answers what it was asked.
  return step.replies.of(id) as TeamReply | undefined;
}

function questionOf(step: StepState, call: RequestedCall, request: TeamRequest): SessionQuestion {
  const { permissions, assembly, input } = step;
  return {
    about: 'team',
    from: input.session,
    request,
    rules: settingsOf(step, call).team,
    as: { config: assembly.config, ...(permissions.now && { sandbox: permissions.now.sandbox }) },
  };
}

const sent = (signal: Promise<void>): Promise<boolean> =>
  signal.then(
    () => true,
    () => false,
  );

const DISPOSED: TeamReply = {
  kind: 'team-refused',
  error: teamError('TEAM_DISPOSED', 'the session that leads the team is gone, and the team with it'),
};
