import { fetch as undiciFetch, type Agent, type Response } from 'undici';
import { characterHead, ToolError, type WebPage } from '../../kit/index.ts';
import { startDeadline, type Deadline } from '../../kit/deadline.ts';
import type { AddressGuard } from './address-guard.ts';
import { checkUrl } from './check-url.ts';
import { contentKind } from './content-kind.ts';
import { decodeText } from './decode-text.ts';
import { guardedAgent, type ResolveName } from './guarded-agent.ts';
import { convertHtml } from './html/convert-html.ts';
import { readBounded } from './read-bounded.ts';
import { webFailure } from './web-failure.ts';

/** What a fetch is bounded by. */
export interface FetchLimits {
  timeoutMs: number;
  maxRedirects: number;
  /** Of a body, decompressed. */
  maxBytes: number;
  /** Of what is made of it. */
  maxCharacters: number;
}

export const FETCH_LIMITS: FetchLimits = {
  timeoutMs: 30_000,
  maxRedirects: 5,
  maxBytes: 5_000_000,
  maxCharacters: 100_000,
};

export interface FetchPageInput {
  url: string;
  signal: AbortSignal;
  guard: AddressGuard;
  limits: FetchLimits;
  /** Takes the place of the system's resolver. */
  resolve?: ResolveName | undefined;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const HEADERS = {
  'user-agent': 'everturn/0.1.0 (web_fetch)',
  accept: 'text/html, application/xhtml+xml, text/*;q=0.9, application/json;q=0.9, application/xml;q=0.8',
};

/** Gets a page by GET. It never goes through a proxy: the address that is checked must be the one that is dialled. */
export async function fetchPage({ url, signal, guard, limits, resolve }: FetchPageInput): Promise<WebPage> {
  const deadline = startDeadline(signal, limits.timeoutMs);
  const agent = guardedAgent(guard, resolve);
  try {
    const { response, found } = await follow(checkUrl(url, guard), { agent, guard, limits, deadline });
    return await readPage(response, found, { limits, deadline });
  } catch (error) {
    throw webFailure({ error, what: 'the page', deadline, timeoutMs: limits.timeoutMs });
  } finally {
    deadline.stop();
    void agent.destroy();
  }
}

interface Following {
  agent: Agent;
  guard: AddressGuard;
  limits: FetchLimits;
  deadline: Deadline;
}

async function follow(start: URL, { agent, guard, limits, deadline }: Following) {
  let found = start;
  for (let redirects = 0; ; redirects++) {
    const { signal } = deadline;
    const response = await undiciFetch(found, { dispatcher: agent, signal, headers: HEADERS, redirect: 'manual' });
    if (!REDIRECTS.has(response.status)) return { response, found };
    await response.body?.cancel();
    found = nextUrl(response, found, { guard, limits, redirects });
  }
}

function nextUrl(
  response: Response,
  from: URL,
  { guard, limits, redirects }: { guard: AddressGuard; limits: FetchLimits; redirects: number },
): URL {
  if (redirects >= limits.maxRedirects)
    throw new ToolError('WEB_REDIRECT_BLOCKED', `"${from.href}" redirects more than ${limits.maxRedirects} times`);
  const location = response.headers.get('location');
  if (location === null)
    throw new ToolError('WEB_PROVIDER_ERROR', `"${from.href}" answers ${response.status} without saying where to go`);
  const next = checkUrl(location, guard, from);
  if (next.origin === from.origin) return next;
  throw new ToolError(
    'WEB_REDIRECT_BLOCKED',
    `"${from.href}" redirects to another origin; fetch "${next.href}" itself if that is what you want`,
  );
}

async function readPage(
  response: Response,
  found: URL,
  { limits, deadline }: { limits: FetchLimits; deadline: Deadline },
): Promise<WebPage> {
  const header = response.headers.get('content-type');
  const content = contentKind(header);
  const declared = Number(response.headers.get('content-length') ?? 0);
  if (declared > limits.maxBytes)
    throw new ToolError('WEB_FETCH_TOO_LARGE', `the page has ${declared} bytes, more than ${limits.maxBytes}`);
  const body = await readBounded(response.body, limits.maxBytes);
  const source = decodeText(body.bytes, content);
  const page = { url: found.href, status: response.status, contentType: header ?? '' };
  const { maxCharacters } = limits;
  const markdown =
    content.kind === 'html' ? await convertHtml({ html: source, maxCharacters, signal: deadline.signal }) : undefined;
  const whole = markdown?.text ?? source;
  const text = characterHead(whole, maxCharacters);
  const format = markdown ? 'markdown' : content.kind === 'html' ? 'html' : 'text';
  const truncated = body.truncated || markdown?.truncated === true || text.length < whole.length;
  return { ...page, format, text, truncated };
}
