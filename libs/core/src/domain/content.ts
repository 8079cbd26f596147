import type { AttachmentId, CallId } from './ids.ts';
import type { ImageMediaType } from './images.ts';

/** Every kind of content block, keyed by its tag; packages add kinds by declaration merging. */
export interface ContentBlockMap {
  text: { type: 'text'; text: string };
  reasoning: { type: 'reasoning'; text: string };
  /** `arguments` is the raw JSON text as the model wrote it, possibly malformed. */
  'tool-call': { type: 'tool-call'; id: CallId; name: string; arguments: string };
  'tool-result': { type: 'tool-result'; toolCallId: CallId; content: ContentBlock[]; isError?: boolean };
  /** A picture by reference; `bytes` is the size of what is stored. */
  image: {
    type: 'image';
    attachmentId: AttachmentId;
    mediaType: ImageMediaType;
    width: number;
    height: number;
    bytes: number;
  };
}

export type ContentBlockType = keyof ContentBlockMap;
export type ContentBlock = ContentBlockMap[ContentBlockType];
export type TextBlock = ContentBlockMap['text'];
export type ToolCallBlock = ContentBlockMap['tool-call'];
export type ImageBlock = ContentBlockMap['image'];

/** A text block. */
export const text = (value: string): TextBlock => ({ type: 'text', text: value });
