// SPDX-License-Identifier: Apache-2.0
import type { RequestListener } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { createAuthority, presentedName, startAlertingServer, startTlsServer } from '../../../test/ads/mutualTls.ts';
import { naming } from '../../../test/naming.ts';
import { opened, scratchFolder } from '../../../test/opened.ts';
import { presentedBy } from '../../ads/request/certificateFor.ts';
import type { HostsKeyPair, KeyPair } from '../../ads/request/ports.ts';
import { createEgressGuard } from './egressGuard.ts';
import { createFireAndForget, createHttpAdServer } from './httpAdServer.ts';
import { createHttpBeacon } from './httpBeacon.ts';

const folder = scratchFolder();
const authority = createAuthority(folder);
const [valid, other, expired] = [authority.issue('valid'), authority.issue('other'), authority.issue('expired', -1)];
const foreign = createAuthority(scratchFolder()).issue('foreign');
const guard = createEgressGuard({ allow: ['127.0.0.1'], ca: authority.ca });
afterAll(() => guard.close());

const seen: string[] = [];
const respond: RequestListener = ({ url = '', socket, headers }, response) => {
  seen.push(`${presentedName(socket)} at ${headers.host?.split(':')[0]}${url}`);
  const to = new URL(url, 'https://x').searchParams.get('to');
  if (to === null) response.end(presentedName(socket));
  else response.writeHead(307, { location: to }).end();
};
const strict = await opened(startTlsServer(authority, respond));
const lenient = await opened(startTlsServer(authority, respond, { rejectUnauthorized: false }));
const alerting = await opened(startAlertingServer(authority, folder));

const at = ({ port }: { readonly port: number }, path = '/', host = '127.0.0.1') => `https://${host}:${port}${path}`;
/** Sends a request of an ad source. */
function send(url: string, clientCertificate?: HostsKeyPair, adServer = createHttpAdServer(guard), tenant = 't') {
  const presented = presentedBy({ url, ...(clientCertificate && { clientCertificate }) }, { tenant });
  return adServer.send({ url, method: 'GET', headers: {} }, { timeoutMs: 600_000, ...presented });
}
const text = ({ bytes }: { readonly bytes?: Uint8Array }) => Buffer.from(bytes ?? []).toString();
/** The certificates of tenant `t`. */
const lookUp = (host: string, pair: KeyPair) => (tenant: string, name: string) =>
  tenant === 't' && name === host ? pair : undefined;

test('an ad server that requires a client certificate receives that of the request', async () => {
  const found = await send(at(strict), valid);
  expect(found).toMatchObject({ ok: true, status: 200 });
  expect(text(found as { bytes: Uint8Array })).toBe('valid');
});

test('connections that present a certificate are guarded too', async () => {
  const refused = await send(at(strict, '/', '127.0.0.2'), valid);
  expect(refused).toMatchObject({ error: 'egress', reason: naming('EGRESS_ALLOW') });
});

test('a redirect to another host obtains a certificate only if that host is listed', async () => {
  seen.length = 0;
  const redirect = at(lenient, `/?to=${at(lenient, '/next', 'localhost')}`);
  await send(redirect, valid);
  await send(redirect, { ...valid, hosts: ['localhost'] });
  const adServer = createHttpAdServer(guard, { certificates: lookUp('localhost', other) });
  await send(redirect, valid, adServer);
  await send(redirect, valid, adServer, 'u');
  const next = seen.filter((one) => one.endsWith(' at localhost/next'));
  expect(next).toEqual(['', 'valid', 'other', ''].map((name) => `${name} at localhost/next`));
  expect(seen.filter((one) => one.startsWith('valid at 127.0.0.1/?to='))).toHaveLength(4);
});

test('beacons and Error URLs present the certificate that a tenant has for a host', async () => {
  const certificates = lookUp('127.0.0.1', other);
  const beacon = createHttpBeacon(guard, { certificates });
  const viewer = { address: '192.0.2.1', userAgent: 'TV/1' };
  expect(await beacon({ url: at(strict), viewer, tenant: 't' })).toEqual({ ok: true, status: 200 });
  expect(await beacon({ url: at(strict), viewer, tenant: 'u' })).toMatchObject({ ok: false, retry: 'later' });
  const fire = createFireAndForget(guard, { certificates });
  fire(at(strict, '/error'), {}, 't');
  await expect.poll(() => seen, { interval: 5 }).toContain('other at 127.0.0.1/error');
});

test.each([
  ['no certificate', undefined, 'requires a client certificate'],
  ['an expired certificate', expired, 'rejected the client certificate, because it has expired'],
  ['one of another authority', foreign, 'rejected the client certificate'],
  ['a key of another certificate', { ...valid, key: other.key }, 'its key is invalid'],
  ['a broken certificate', { ...valid, certificate: 'none' }, 'its key is invalid'],
])('a server that explains why it rejects %s has failed with that reason', async (_, pair, reason) => {
  expect(await send(at(alerting), pair)).toMatchObject({ error: 'tls', reason: expect.stringContaining(reason) });
});

test.each([
  ['no certificate', undefined, 'tls', 'requires a client certificate'],
  ['an expired certificate', expired, 'reset', 'the client certificate expired on 20'],
  ['one of another authority', foreign, 'reset', 'may require another client certificate'],
])('a server that closes the connection after %s has failed with a reason', async (_, pair, error, reason) => {
  expect(await send(at(strict), pair)).toMatchObject({ error, reason: expect.stringContaining(reason) });
});

test('a server that rejects a certificate gets requests with others', async () => {
  const adServer = createHttpAdServer(guard, { failures: 2, restMs: 60_000 });
  const rejected = () => send(at(alerting), foreign, adServer);
  for (let each = 0; each < 2; each += 1) expect(await rejected()).toMatchObject({ error: 'tls' });
  expect(await rejected()).toMatchObject({ error: 'resting' });
  expect(await send(at(alerting), valid, adServer)).toMatchObject({ ok: true });
});
