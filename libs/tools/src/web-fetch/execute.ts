import { text } from '@everturn/core/domain';
import { characterHead, implementTool, settledByCancel, type WebPage } from '../kit/index.ts';
import { webFetch } from './schema.ts';

const MAX_CHARACTERS = 200_000;
const FOOTER = '\n\n(Content truncated. The page is longer than what is shown here.)';

/** Fetches a page through the web port, which checks every address it dials. */
export const executeWebFetch = implementTool(webFetch, async ({ url }, context) => {
  if (url.trim() === '') throw new Error('url must be a non-empty string');
  const { signal } = context;
  const page = await context.ports.web.fetch({ url: url.trim(), signal }).catch(settledByCancel(signal));
  return {
    content: [text(shown(page))],
    meta: { url: page.url, status: page.status, contentType: page.contentType },
    value: { ...page },
  };
});

function shown({ url, status, text: body, truncated }: WebPage): string {
  const whole = `Fetched ${url} (HTTP ${status})\n\n${body}`;
  if (!truncated && whole.length <= MAX_CHARACTERS) return whole;
  return characterHead(whole, MAX_CHARACTERS - FOOTER.length) + FOOTER;
}
