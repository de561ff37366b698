// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createProxies, networkOf, type RequestSource } from './proxies.ts';

const proxies = createProxies(['127.0.0.0/8', '::1', '10.0.0.0/8', '2001:db8:aaaa::/48']);
const from = (remoteAddress: string, headers: RequestSource['headers'] = {}): RequestSource => ({
  headers,
  socket: { remoteAddress },
});

test.each([
  ['no proxy', '203.0.113.9', undefined, '203.0.113.9'],
  ['a header from an untrusted client', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['one proxy', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['a forged entry before the proxy’s own', '127.0.0.1', '8.8.8.8, 203.0.113.9', '203.0.113.9'],
  ['a forged proxy', '127.0.0.1', '8.8.8.8, 10.1.2.3, 203.0.113.9', '203.0.113.9'],
  ['two proxies', '127.0.0.1', '8.8.8.8, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
  ['proxies only', '127.0.0.1', '10.9.9.9, 10.1.2.3', '10.9.9.9'],
  ['a proxy that sends no header', '127.0.0.1', undefined, '127.0.0.1'],
  ['an empty header', '127.0.0.1', '', '127.0.0.1'],
  ['an entry that is not an address', '127.0.0.1', '203.0.113.9, unknown', '127.0.0.1'],
  ['an address as a decimal number', '127.0.0.1', '134744072', '127.0.0.1'],
  ['an entry with a port', '127.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
  ['IPv6 with a port', '::1', '[2001:db8::7]:4711', '2001:db8::7'],
  ['IPv6', '2001:db8:aaaa::1', '2001:db8::7', '2001:db8::7'],
  ['IPv4-mapped IPv6', '::ffff:127.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
  ['an entry of IPv4-mapped IPv6 with a port', '127.0.0.1', '[::ffff:203.0.113.9]:4711', '203.0.113.9'],
  ['a trusted proxy as IPv4-mapped IPv6', '127.0.0.1', '203.0.113.9, ::ffff:10.0.0.1', '203.0.113.9'],
  ['IPv6 in brackets without a port', '::1', '[2001:db8::7]', '2001:db8::7'],
  ['IPv6 with a zone', '::1', `fe80::1%${'x'.repeat(9000)}`, 'fe80::1'],
  ['a peer with a zone', 'fe80::1%eth0', '203.0.113.9', 'fe80::1'],
  ['empty elements at the end', '127.0.0.1', '203.0.113.9, ,', '203.0.113.9'],
  ['empty elements between proxies', '127.0.0.1', '203.0.113.9,,10.0.0.2', '203.0.113.9'],
  ['empty elements only', '127.0.0.1', ', ,,', '127.0.0.1'],
  ['many empty elements', '127.0.0.1', `203.0.113.9${','.repeat(10_000)}`, '127.0.0.1'],
  ['an octet with a leading zero', '127.0.0.1', '203.0.113.9, 010.0.0.1', '127.0.0.1'],
  ['a part of an address', '127.0.0.1', '203.0.113', '127.0.0.1'],
  ['a quoted address', '127.0.0.1', '"203.0.113.9"', '127.0.0.1'],
  ['10 kB of garbage', '127.0.0.1', 'x'.repeat(10_000), '127.0.0.1'],
  ['10 kB of garbage before the entry of the proxy', '127.0.0.1', `${'[,x'.repeat(3000)}, 203.0.113.9`, '203.0.113.9'],
  ['20 hops', '127.0.0.1', `203.0.113.9${', 10.0.0.1'.repeat(19)}`, '203.0.113.9'],
  ['a longer chain', '127.0.0.1', `203.0.113.9${', 10.0.0.1'.repeat(1000)}`, '10.0.0.1'],
  ['a closed connection', '', '203.0.113.9', ''],
])('returns the client address: %s', (_, peer, header, client) => {
  expect(proxies.clientOf(from(peer, header === undefined ? {} : { 'x-forwarded-for': header }))).toBe(client);
});

test('several headers are one list, in their order', () => {
  const headers = { 'x-forwarded-for': ['8.8.8.8', '203.0.113.9, 10.1.2.3'] } as unknown as RequestSource['headers'];
  expect(proxies.clientOf(from('127.0.0.1', headers))).toBe('203.0.113.9');
});

test.each([
  ['::ffff:10.0.0.0/104', '10.1.2.3'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['10.0.0.0/8', '::ffff:10.1.2.3'],
  ['2001:db8::/32', '2001:DB8:0::1'],
  ['fe80::/10', 'fe80::1%eth0'],
])('the proxies %s contain %s', (cidr, address) => {
  expect(createProxies([cidr]).isTrusted(address)).toBe(true);
  for (const other of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db9::1', 'x', '', undefined])
    expect([other, createProxies([cidr]).isTrusted(other)]).toEqual([other, false]);
});

test('without trusted proxies forwarding headers are ignored', () => {
  const none = createProxies([]);
  expect(none.clientOf(from('127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }))).toBe('127.0.0.1');
  const forged = { host: 'here:8081', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
  expect(none.originOf(from('127.0.0.1', forged))).toBe('http://here:8081');
});

test.each([
  ['a direct request', '203.0.113.9', { host: 'tv.example:8081' }, 'http://tv.example:8081'],
  ['a direct request on this machine', '127.0.0.1', { host: 'localhost:8081' }, 'http://localhost:8081'],
  ['IPv6', '::1', { host: '[::1]:8081' }, 'http://[::1]:8081'],
  ['forged headers', '203.0.113.9', { host: 'tv.example', 'x-forwarded-host': 'evil.example' }, 'http://tv.example'],
  [
    'x-forwarded-host and x-forwarded-proto of a proxy',
    '127.0.0.1',
    { host: '127.0.0.1:8081', 'x-forwarded-host': 'evil.example, TV.example', 'x-forwarded-proto': 'http, https' },
    'https://tv.example',
  ],
  ['only Host, through a proxy', '127.0.0.1', { host: 'evil.example', 'x-forwarded-for': '203.0.113.9' }, undefined],
  ['only Host, through a proxy that sends Via', '127.0.0.1', { host: 'evil.example', via: '1.1 cache' }, undefined],
  ['no Host', '203.0.113.9', {}, undefined],
  ['an invalid host', '203.0.113.9', { host: 'evil.example/<script>' }, undefined],
  ['user information in the host', '203.0.113.9', { host: 'tv.example@evil.example' }, undefined],
])('returns the origin: %s', (_, peer, headers, origin) => {
  expect(proxies.originOf(from(peer, headers))).toBe(origin);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:bbbb::2', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s is counted as %s', (address, client) => {
  expect(networkOf(address)).toBe(client);
});
