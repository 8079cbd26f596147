import type { ContentBlock } from './content.ts';
import { isBlobRef, type MaybeRef } from './blob.ts';
import { imageTokens } from './images.ts';
import type { EpochHeader } from './requests.ts';

/** What a block or a role costs besides its text. */
const FRAME_TOKENS = 4;
const CHARACTERS_A_TOKEN = 4;

/** What text costs a model, about: nobody counts its tokens but the provider, afterwards. */
export const textTokens = (length: number): number => Math.ceil(length / CHARACTERS_A_TOKEN);

/** What a block costs, about. */
export function blockTokens(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
    case 'reasoning':
      return textTokens(block.text.length) + FRAME_TOKENS;
    case 'tool-call':
      return textTokens(block.name.length) + textTokens(block.arguments.length) + FRAME_TOKENS;
    case 'tool-result':
      return contentTokens(block.content) + FRAME_TOKENS;
    case 'image':
      return imageTokens(block) + FRAME_TOKENS;
    default:
      return JSON.stringify(block).length; // of another package
  }
}

/** What content costs, about. */
export const contentTokens = (content: readonly ContentBlock[]): number =>
  content.reduce((sum, block) => sum + blockTokens(block), 0);

/** The same of content that may travel by reference: then by its size, which is rather too much than too little. */
export const travellingTokens = (content: MaybeRef<readonly ContentBlock[]>): number =>
  isBlobRef(content) ? textTokens(content.bytes) : contentTokens(content);

/** What a message costs, about. */
export const messageTokens = (content: readonly ContentBlock[]): number => contentTokens(content) + FRAME_TOKENS;

const priced = new WeakMap<EpochHeader, number>();

/** What a request costs besides its history, about. */
export function headerTokens(header: EpochHeader): number {
  const known = priced.get(header);
  if (known !== undefined) return known;
  const { system, tools, messagePrefix = [] } = header;
  const tokens =
    (system === undefined ? 0 : textTokens(system.length) + FRAME_TOKENS) +
    (tools ? textTokens(JSON.stringify(tools).length) + FRAME_TOKENS : 0) +
    messagePrefix.reduce((sum, { content }) => sum + messageTokens(content), 0);
  priced.set(header, tokens);
  return tokens;
}
