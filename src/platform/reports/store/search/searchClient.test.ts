// SPDX-License-Identifier: Apache-2.0
// Servers that are not search domains: every failure is reported in a sentence, in time and with limited memory.
import { afterAll, expect, test } from 'vitest';
import { naming } from '../../../../../test/naming.ts';
import { startMisbehavingServer } from '../../../../../test/servers/misbehavingServer.ts';
import { createEgressGuard } from '../../../../adapters/http/egressGuard.ts';
import { openSearchClient } from './searchClient.ts';

const guard = createEgressGuard({ allow: ['127.0.0.0/8'] });
const server = await startMisbehavingServer();
server.on('/json', (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'));
server.on('/broken', (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":'));
server.on('/odd', (response) => {
  const body = JSON.stringify({ error: { type: 'a "type" with\nwords', reason: 'secret' } });
  response.writeHead(418, { 'content-type': 'application/json' }).end(body);
});
const target = { key: 'k', url: server.url, index: 'i', user: 'u', password: 'p' };
const domain = openSearchClient(target, guard);
const impatient = openSearchClient(target, guard, 400);
afterAll(() => Promise.all([server.close(), guard.close()]));

test('returns a JSON response', async () => {
  expect(await domain.call({ method: 'GET', path: '/json' })).toEqual({ a: 1 });
});

test.each([
  ['/never', 'timeout', undefined],
  ['/drip', 'timeout', undefined],
  ['/half', 'reset', undefined],
  ['/reset', 'reset', undefined],
  ['/bomb', 'packed', undefined],
  ['/ok', 'notJson', undefined],
  ['/empty', 'notJson', undefined],
  ['/broken', 'notJson', undefined],
  ['/odd', 'httpStatus', 418],
])('%s', async (path, error, responseStatus) => {
  const called = error === 'timeout' ? impatient : domain;
  const thrown = await called.call({ method: 'GET', path, isOnce: true }).catch((caught: unknown) => caught);
  const names = responseStatus ? [responseStatus] : [];
  expect(thrown).toMatchObject({ status: 503, error, responseStatus, message: naming(...names) });
  expect(String(thrown)).not.toMatch(/secret|"type"/);
});

test('an endless response is cut off', async () => {
  const patient = openSearchClient({ key: 'k', url: server.url, index: 'i' }, guard, 600_000);
  await expect(patient.call({ method: 'GET', path: '/endless' })).rejects.toMatchObject({
    error: 'tooLarge',
  });
});
