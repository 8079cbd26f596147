import type { CallId, ContentBlock } from '../../../domain/index.ts';

/** Blocks as outcomes name them. */
export const said = (text: string): ContentBlock => ({ type: 'text', text });
export const thought = (text: string): ContentBlock => ({ type: 'reasoning', text });
export const called = (id: string, name: string, args: string): ContentBlock => ({
  type: 'tool-call',
  id: id as CallId,
  name,
  arguments: args,
});
