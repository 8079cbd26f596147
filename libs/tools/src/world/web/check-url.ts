import { isIP } from 'node:net';
import { ToolError } from '../../kit/index.ts';
import type { AddressGuard } from './address-guard.ts';
import { blockedAddress } from './guarded-agent.ts';

const MAX_URL_CHARACTERS = 2048;

/** The URL if it may be fetched, as far as its text tells; `base` resolves the relative ones of redirects. */
export function checkUrl(text: string, guard: AddressGuard, base?: URL): URL {
  if (text.length > MAX_URL_CHARACTERS)
    throw new ToolError('WEB_INVALID_URL', `url is longer than ${MAX_URL_CHARACTERS} characters`);
  const url = URL.parse(text, base?.href);
  if (!url) throw new ToolError('WEB_INVALID_URL', `"${text}" is not a URL`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new ToolError('WEB_INVALID_URL', `only http and https are fetched, not "${url.protocol}"`);
  if (url.username !== '' || url.password !== '')
    throw new ToolError('WEB_BLOCKED_URL', 'a URL with a user name or password is not fetched');
  // Parsing has undone decimal, octal and hexadecimal numbers and full-width dots; names are judged when they are resolved.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const why = isIP(host) ? guard.blocked(host) : undefined;
  if (why !== undefined) throw blockedAddress(host, host, why);
  return url;
}
