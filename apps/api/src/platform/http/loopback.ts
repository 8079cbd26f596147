import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** Whether every address a host name stands for can be reached from this machine only. */
export async function isLoopback(host: string): Promise<boolean> {
  const addresses = isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address);
  return (
    addresses.length > 0 && addresses.every((address) => loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'))
  );
}
