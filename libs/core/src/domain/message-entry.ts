import type { BlobRef } from './blob.ts';
import type { ContentBlock } from './content.ts';
import type { RequestId } from './ids.ts';
import type { JsonValue } from './json.ts';
import type { MessageSource } from './messages.ts';
import type { SessionFact } from './session-fact.ts';

/** A message a session has accepted and not yet written to its log. */
export interface MessageEntry {
  requestId: RequestId;
  kind: 'prompt' | 'steering' | 'injection';
  /** By reference above 2 KiB. */
  content: ContentBlock[] | BlobRef;
  source: MessageSource;
  meta?: JsonValue;
  /** First words, for the UI. */
  preview: string;
  /** What the log is told along with it, once. */
  facts?: readonly SessionFact[];
}
