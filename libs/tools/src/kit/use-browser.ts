import { text, type JsonValue } from '@everturn/core/domain';
import type { Browser, BrowserCall } from './browser-port.ts';
import type { ToolRunContext } from './tool-context.ts';
import type { ToolOutput } from './tool-result.ts';

const KEY = 'browser/main';

const CLOSED =
  'the browser of this session was closed because nobody used it for long, and nothing was done; the next call starts another, without the tabs and logins of before';

/** The session's browser, started when it is first used and again when it is gone; throws once when we closed it. */
export async function sessionBrowser({
  resources,
  ports,
}: Pick<ToolRunContext, 'resources' | 'ports'>): Promise<Browser> {
  const known = resources.find(KEY) as Browser | undefined;
  if (known?.ended) await resources.close(KEY);
  if (known?.ended === 'unused') throw new Error(CLOSED);
  return resources.open(KEY, (signal) => ports.browser.launch(signal));
}

/** What an operation on the given tab is given; throws where nobody can be asked about pages. */
export function browserCall({ signal, askModel }: ToolRunContext, pageId: string | undefined): BrowserCall {
  const ask = askModel ?? (() => Promise.reject(new Error('no model can be asked here')));
  return { signal, ask, ...(pageId !== undefined && { pageId }) };
}

/** Refuses a text that says nothing, which a schema's `minLength` lets through. */
export function refuseBlank(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values))
    if (value?.trim() === '') throw new Error(`${name} must not be blank`);
}

/** Refuses what is no absolute http(s) address. */
export function refuseMalformedUrl(url: string | undefined): void {
  if (url === undefined) return;
  const parsed = URL.parse(url);
  if (!parsed || !['http:', 'https:', 'about:'].includes(parsed.protocol))
    throw new Error(`"${url.slice(0, 200)}" is not an absolute http(s) URL`);
}

/** A value as the JSON text a model reads. */
export const jsonOutput = (value: JsonValue): ToolOutput => ({
  content: [text(JSON.stringify(value, null, 2))],
  value,
});
