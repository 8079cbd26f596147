import {
  ChildWorkflowCancellationType,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  sleep,
  startChild,
  Trigger,
  type ChildWorkflowHandle,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { MessageEntry } from '@everturn/core/domain';
import { TURN_WORKFLOW, turnWorkflowId, WORKFLOW_TASK_TIMEOUT_MS } from '@everturn/core/protocol';
import type { TurnInput, TurnResult } from '../../contract/index.ts';
import { identityAttributes } from '../shared/search-attributes.ts';
import { sessionRef, type SessionState, type TurnHint, type TurnHintPayload } from './session-state.ts';

type TurnWorkflow = (input: TurnInput) => Promise<TurnResult>;

/** Starts the next turn with a message; hints and cancels that come before it is up are sent once it is. */
export async function startTurn(
  session: SessionState,
  message: MessageEntry,
  about: Pick<TurnInput, 'purpose'>,
): Promise<ChildWorkflowHandle<TurnWorkflow>> {
  const number = session.lastTurn + 1;
  session.lastTurn = number;
  const started = new Trigger<ChildWorkflowHandle<TurnWorkflow>>();
  session.running = {
    number,
    message: message.requestId,
    source: message.source,
    send: (signal, payload) => void started.then((handle) => hint(handle, signal, payload)),
  };
  // Word that came when this turn was about to begin.
  for (const entry of session.queue.steering) session.running.send('steer', entry);
  session.writer.change({ status: 'running', queueLength: session.queue.queued.length, openTurn: number });
  const handle = await start({ ...turnInput(session, message, number), ...about });
  started.resolve(handle);
  return handle;
}

function turnInput(session: SessionState, message: MessageEntry, turn: number): TurnInput {
  const { rows } = session.writer.handOver();
  return {
    ...sessionRef(session),
    turn,
    message,
    isolation: session.isolation,
    instance: session.instance,
    usage: session.usage,
    searchAttributes: session.searchAttributes,
    ...(session.title === '' && message.source.kind === 'user' && { untitled: true as const }),
    highestAcknowledged: session.writer.highestAcknowledged,
    ...(session.permissions && { permissions: session.permissions }),
    ...(session.input.owner && { owner: session.input.owner }),
    ...(session.knobs && { knobs: session.knobs }),
    ...(rows && { rows }),
  };
}

async function start(input: TurnInput): Promise<ChildWorkflowHandle<TurnWorkflow>> {
  const workflowId = turnWorkflowId(input.session, input.turn);
  for (;;) {
    try {
      return await startChild<TurnWorkflow>(TURN_WORKFLOW, {
        workflowId,
        args: [input],
        cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
        parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
        workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
        staticSummary: input.message.preview,
        ...identityAttributes(input.searchAttributes, input),
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      // A turn of an earlier life of this session that wrote nothing; its generation is fenced, so it only has to end.
      await getExternalWorkflowHandle(workflowId)
        .cancel()
        .catch(() => undefined);
      await sleep(1_000);
    }
  }
}

/** A hint may find the turn gone; its result, or what it did not consume, says the rest. */
async function hint(
  handle: ChildWorkflowHandle<TurnWorkflow>,
  signal: TurnHint,
  payload: TurnHintPayload,
): Promise<void> {
  await handle.signal(signal, payload).catch(() => undefined);
}
