import { patched } from '@temporalio/workflow';
import { FIRST_ACTIVATION, type Activation, type MessageEntry, type SessionId } from '@everturn/core/domain';
import type { OpenLogResult } from '../../contract/index.ts';
import type { SessionState } from './session-state.ts';

type Parent = Extract<OpenLogResult, { kind: 'opened' }>['parent'];

/**
 * A life of an agent that somebody else began, such as a plugin or a person, works for its owner all the same, which may
 * have given it a task and waits. While its owner is closed the agent is its own.
 */
export function takeOwner(session: SessionState, parent: Parent): void {
  if (parent?.state !== 'open' || session.input.owner || !patched('owner-of-the-row')) return;
  workFor(session, parent.session, FIRST_ACTIVATION);
}

/** Whoever started the agent writes to one that is its own: it is back, and waits for an answer. */
export function takeBackOwner(session: SessionState, { source }: Pick<MessageEntry, 'source'>): void {
  const { parent, input } = session;
  if (parent === undefined || input.owner) return;
  const from = source.kind === 'agent-message' ? source.senderSessionId : undefined;
  const team = source.kind === 'team-message' ? source.teamId : undefined;
  if ((from !== parent && team !== parent) || !patched('owner-of-the-row')) return;
  // Of what it did meanwhile nobody waits to hear.
  workFor(session, parent, { state: 'settled', epoch: 0, taken: [] });
}

function workFor(session: SessionState, owner: SessionId, activation: Activation): void {
  session.input = { ...session.input, owner: { session: owner, mode: 'continuable' } };
  session.activation = activation;
}
