import { expect, test } from 'vitest';
import { addressClass } from './address-class.js';

test.each(['1.1.1.1', '93.184.216.34', '9.255.255.255', '172.15.255.255', '172.32.0.0', '2606:4700::1111', '2a00::1'])(
  '%s is public',
  (address) => expect(addressClass(address)).toBe('public'),
);

test.each(['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'])('%s is loopback', (address) =>
  expect(addressClass(address)).toBe('loopback'),
);

test.each([
  ['this network', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['metadata behind carrier-grade NAT', '100.100.100.200'],
  ['link-local', '169.254.0.1'],
  ['metadata', '169.254.169.254'],
  ['metadata', '192.0.0.192'],
  ['host agent', '168.63.129.16'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['benchmark', '198.18.0.1'],
  ['6to4 relay', '192.88.99.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped private', '::ffff:a00:1'],
  ['mapped public', '::ffff:1.1.1.1'],
  ['compatible loopback', '::127.0.0.1'],
  ['compatible public', '::1.1.1.1'],
  ['translated', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64 of a public address', '64:ff9b::101:101'],
  ['local NAT64', '64:ff9b:1::a00:1'],
  ['6to4 of a private address', '2002:a00:1::'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['unique-local', 'fc00::1'],
  ['metadata', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['discard', '100::1'],
  ['benchmark', '2001:2::1'],
  ['not allocated', '4000::1'],
  ['no address', 'example.org'],
  ['no address', ''],
])('%s: %s is closed', (_what, address) => expect(addressClass(address)).toBe('closed'));
