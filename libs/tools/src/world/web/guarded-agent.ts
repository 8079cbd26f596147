import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { ToolError } from '../../kit/index.ts';
import type { AddressGuard } from './address-guard.ts';

/** Resolves a name like `dns.lookup` with `all`. */
export type ResolveName = (
  name: string,
  options: LookupOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const resolveName: ResolveName = (name, options, done) => systemLookup(name, { ...options, all: true }, done);

/** Connections that go only where the guard lets them: it judges the very address that is dialled next. */
export function guardedAgent(guard: AddressGuard, resolve: ResolveName = resolveName): Agent {
  const connect = buildConnector({ lookup: guardedLookup(guard, resolve) });
  return new Agent({
    connect: (options, callback) => {
      const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
      // Sockets dial a literal address without asking for its name.
      const refusal = isIP(host) ? refused(guard, host, host) : undefined;
      if (refusal) callback(refusal, null);
      else connect(options, callback);
    },
  });
}

/** A name is refused as soon as one of its addresses is: what else it leads to would be luck. */
function guardedLookup(guard: AddressGuard, resolve: ResolveName): LookupFunction {
  return (name, options, done) =>
    resolve(name, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0);
      const refusal = addresses.map(({ address }) => refused(guard, address, name)).find((found) => found);
      if (refusal) return done(refusal as NodeJS.ErrnoException, '', 0);
      if (options.all) return done(null, addresses);
      const [first] = addresses;
      return first ? done(null, first.address, first.family) : done(new Error(`"${name}" has no address`), '', 0);
    });
}

function refused(guard: AddressGuard, address: string, host: string): ToolError | undefined {
  const why = guard.blocked(address);
  return why === undefined ? undefined : blockedAddress(host, address, why);
}

/** The refusal of a host for one of its addresses. */
export function blockedAddress(host: string, address: string, why: string): ToolError {
  const where = host === address ? `"${host}"` : `"${host}" (${address})`;
  return new ToolError('WEB_BLOCKED_URL', `${where} is not a public address: ${why}; it is not fetched`);
}
