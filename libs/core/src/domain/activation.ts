import type { ChildStop } from './delegation.ts';
import type { ContentBlock } from './content.ts';
import type { RequestId, SessionId } from './ids.ts';

/** What an agent that stays with another has in hand since it last said that it was done. */
export interface Activation {
  /** `settled`: it has said so, and nothing has come since. */
  state: 'running' | 'settled';
  /** Counts from 1. */
  epoch: number;
  /** Messages of its owner that it was given. */
  taken: readonly RequestId[];
}

/** The message that gives a child its task. */
export const FIRST_MESSAGE = 'delegated-task' as RequestId;

/** A child that was just started, whose task is the first message of its owner. */
export const FIRST_ACTIVATION: Activation = Object.freeze({ state: 'running', epoch: 1, taken: Object.freeze([]) });

/** Takes a message: one that had settled begins anew. */
export function activate(activation: Activation, message: RequestId | undefined): Activation {
  const { state, epoch, taken } = activation;
  const known = state === 'settled' ? [] : taken;
  return {
    state: 'running',
    epoch: state === 'settled' ? epoch + 1 : epoch,
    taken: message === undefined || known.includes(message) ? known : [...known, message],
  };
}

/** Where an agent stands: at work or with messages unread; idle, but not those that work for it; or done. */
export function standing(input: {
  activation: Activation;
  agent: 'busy' | 'idle';
  unread: number;
  children: number;
}): 'running' | 'waiting' | 'due' | 'settled' {
  const { activation, agent, unread, children } = input;
  if (activation.state === 'settled') return 'settled';
  if (agent === 'busy' || unread > 0) return 'running';
  return children > 0 ? 'waiting' : 'due';
}

/** Messages to children that are not known to be dealt with; a child with any is at work. */
export type OpenChildren = Readonly<Record<SessionId, readonly RequestId[]>>;

/** Stands for what a child has in hand of an earlier life of its owner, which cannot know it; any word of the child ends it. */
export const EARLIER_WORK = 'of-an-earlier-life' as RequestId;

/** A message is about to go to a child. */
export function callChild(open: OpenChildren, child: SessionId, message: RequestId): OpenChildren {
  const known = open[child] ?? [];
  return known.includes(message) ? open : { ...open, [child]: [...known, message] };
}

/**
 * Messages to a child that came before those it says it has dealt with. It says so when none is left, so that an older
 * one was in the hands of a life of it that ended before it could say anything.
 */
export function olderThan(open: OpenChildren, child: SessionId, messages: readonly RequestId[]): RequestId[] {
  const known = open[child] ?? [];
  const last = known.findLastIndex((message) => messages.includes(message));
  return known.slice(0, Math.max(last, 0)).filter((message) => !messages.includes(message));
}

/** A child has dealt with messages, or was never given them. */
export function releaseChild(
  open: OpenChildren,
  child: SessionId,
  messages: readonly RequestId[] | 'all',
): OpenChildren {
  const { [child]: known = [], ...others } = open;
  const left = messages === 'all' ? [] : known.filter((message) => !messages.includes(message));
  return left.length === 0 ? others : { ...others, [child]: left };
}

const FIRST_LOOK_MS = 5_000;
const LONGEST_LOOK_MS = 900_000;

/** How long an owner that rests waits before it looks whether its children still are, after so many looks. */
export const nextLookMs = (looks: number): number =>
  Math.min(LONGEST_LOOK_MS, FIRST_LOOK_MS * 2 ** Math.min(looks, 20));

/** The first line of what an owner is told when a child has settled. */
export function settlementLine(child: SessionId, stop: ChildStop): string {
  switch (stop) {
    case 'completed':
      return `subagent ${child} finished; it does nothing further unless you message it.`;
    case 'aborted':
      return `subagent ${child} was stopped before it finished.`;
    case 'max-tokens':
      return `subagent ${child} ran out of room before it finished.`;
    case 'refusal':
      return `subagent ${child} declined the task.`;
    case 'error':
      return `subagent ${child} failed.`;
  }
}

/** What an owner's model reads when a child has settled. */
export function settlementNotice(input: {
  child: SessionId;
  stop: ChildStop;
  diagnostic?: string | undefined;
  words: string;
}): ContentBlock[] {
  const { child, stop, diagnostic, words } = input;
  const line = settlementLine(child, stop);
  const head = diagnostic ? `${line}\nDiagnostic: ${diagnostic}` : line;
  if (words.trim() === '') return [{ type: 'text', text: `${head}\nIt left no closing message.` }];
  return [
    { type: 'text', text: `${head}\nIts closing message:` },
    { type: 'text', text: words },
  ];
}

/** What follows the first task of an agent that stays with the one that gave it. */
export const returnGuidance = (parent: SessionId): string =>
  `You may write to the agent that gave you this task while you work on it: send_message with agent_id "${parent}". When you are done it is told so, with your last message; it may then write to you again.`;

/** What stands before a message of one agent to another. */
export const relayHeading = (sender: SessionId): string => `Message from agent ${sender}:`;
