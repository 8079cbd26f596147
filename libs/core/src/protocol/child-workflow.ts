import type { MessageEntry, RequestId, SessionId } from '../domain/index.ts';

/** Signals `childCalled` and `childReleased` of a step to its session: a message is about to go to a child, or did not. */
export interface ChildMessage {
  child: SessionId;
  message: RequestId;
}

/** Signal `childSettled` of a child to its owner: it has dealt with these messages. */
export interface ChildSettled {
  child: SessionId;
  messages: RequestId[] | 'all';
  /** What the owner's model is told; absent where it ended the child itself. */
  notice?: MessageEntry;
  /** The child has closed. */
  closed?: true;
}
