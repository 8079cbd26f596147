import { expect, test } from 'vitest';
import { AddressGuard } from './address-guard.ts';

const guard = new AddressGuard();

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['10.1.2.3', 'private'],
  ['172.31.0.1', 'private'],
  ['192.168.0.1', 'private'],
  ['169.254.169.254', 'link-local'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['100.100.100.200', 'carrier-grade NAT'],
  ['168.63.129.16', 'cloud platform'],
  ['0.0.0.0', 'unspecified'],
  ['255.255.255.255', 'broadcast'],
  ['224.0.0.1', 'multicast'],
  ['198.18.0.1', 'reserved'],
  ['::1', 'loopback'],
  ['::', 'unspecified'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['fd00:ec2::254', 'private'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:10.0.0.1', 'private'],
  ['::127.0.0.1', 'loopback'],
  ['::10.0.0.1', 'private'],
  ['::7f00:1', 'not global unicast'],
  ['::808:808', 'not global unicast'],
  ['4000::1', 'not global unicast'],
  ['::ffff:0:127.0.0.1', 'IPv4-translated'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['64:ff9b::a9fe:a9fe', 'link-local'],
  ['64:ff9b:1::808:808', 'NAT64'],
  ['2002:7f00:1::1', '6to4'],
  ['2001:0:1::1', 'teredo'],
  ['2001:db8::1', 'reserved'],
  ['not.an.address', 'not an address'],
])('%s is blocked: %s', (address, why) => {
  expect(guard.blocked(address)).toBe(why);
});

test.each(['8.8.8.8', '2606:4700:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])('%s is public', (address) => {
  expect(guard.blocked(address)).toBeUndefined();
});

test('what the deployment allows is reachable, and nothing beside it', () => {
  const open = new AddressGuard(['127.0.0.1', '10.20.0.0/16', 'fd00::/8']);
  const asked = ['127.0.0.1', '::ffff:127.0.0.1', '127.0.0.2', '10.20.255.1', '10.21.0.1', 'fd12::1', '::1'];
  expect(asked.filter((address) => open.blocked(address) === undefined)).toEqual([
    '127.0.0.1',
    '::ffff:127.0.0.1',
    '10.20.255.1',
    'fd12::1',
  ]);
});

test.each(['localhost', '10.0.0.0/33', '', '1.2.3'])('"%s" is no range', (range) => {
  expect(() => new AddressGuard([range === '1.2.3' ? '1.2.3/abc' : range])).toThrow(/neither an address nor a range/);
});
