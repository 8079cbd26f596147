import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

/** Public by their number, yet they answer to the machine that asks: the platform endpoints of a large cloud. */
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);

/** Prefix under which networks without IPv4 reach it; the IPv4 address stands in the last 32 bits. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** All that is public of IPv6; the rest holds old ways to write IPv4 addresses, among others. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Decides which addresses may be dialled for the model: public ones, and what the deployment allows. */
export class AddressGuard {
  readonly #allowed: readonly Range[];

  /** `allow`: addresses or CIDR ranges that are reachable although they are not public. Throws for anything else. */
  constructor(allow: readonly string[] = []) {
    this.#allowed = allow.map(parseRange);
  }

  /** Why an address must not be dialled, or `undefined` when it may. Takes what is no address for blocked. */
  blocked(address: string): string | undefined {
    if (!ipaddr.isValid(address)) return 'not an address';
    const dialled = ipaddr.process(address); // an IPv4 address in IPv6 clothes is judged as what it is
    if (this.#allowed.some((range) => holds(range, dialled))) return undefined;
    return notPublic(dialled);
  }
}

function notPublic(address: Address): string | undefined {
  const range = address.range();
  if (range === 'unicast' && address instanceof ipaddr.IPv6)
    return address.match(GLOBAL_UNICAST) ? undefined : 'not global unicast';
  if (range === 'unicast') return PLATFORM_ADDRESSES.has(address.toString()) ? 'cloud platform' : undefined;
  if (address instanceof ipaddr.IPv6 && address.match(NAT64))
    return notPublic(ipaddr.fromByteArray(address.toByteArray().slice(12)));
  return NAMES[range] ?? range;
}

/** The words people know; the rest are called as the library calls them. */
const NAMES: Readonly<Record<string, string>> = {
  carrierGradeNat: 'carrier-grade NAT',
  linkLocal: 'link-local',
  rfc6052: 'NAT64',
  rfc6145: 'IPv4-translated',
  uniqueLocal: 'private',
};

function parseRange(text: string): Range {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch (cause) {
    throw new TypeError(`"${text}" is neither an address nor a range such as 10.0.0.0/8`, { cause });
  }
}

function holds([base, bits]: Range, address: Address): boolean {
  // Of one kind, as just asked, which narrows neither type.
  return base.kind() === address.kind() && address.match(base as never, bits);
}
