// A search domain that is none: whatever it does, it is told in a sentence, within the time allowed and bounded memory.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { type MisbehavingServer, startMisbehavingServer } from '../../../test/servers/misbehavingServer.ts';
import { createEgressGuard } from '../http/egressGuard.ts';
import { openSearchDomain, type SearchDomain } from './searchDomain.ts';

const guard = createEgressGuard({ allow: ['127.0.0.0/8'] });
let server: MisbehavingServer;
let domain: SearchDomain;
let hasty: SearchDomain;
beforeAll(async () => {
  server = await startMisbehavingServer();
  server.on('/json', (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'));
  server.on('/broken', (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":'));
  server.on('/odd', (response) => {
    const body = JSON.stringify({ error: { type: 'a "type" with\nwords', reason: 'secret' } });
    response.writeHead(418, { 'content-type': 'application/json' }).end(body);
  });
  const target = { key: 'k', url: server.url, index: 'i', user: 'u', password: 'p' };
  domain = openSearchDomain(target, guard);
  hasty = openSearchDomain(target, guard, 400);
});
afterAll(() => Promise.all([server.close(), guard.close()]));

test('an answer in JSON is taken', async () => {
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
])('%s', async (path, error, answered) => {
  const patience = error === 'timeout' ? hasty : domain;
  const thrown = await patience.call({ method: 'GET', path, isOnce: true }).catch((trouble: unknown) => trouble);
  expect(thrown).toMatchObject({ status: 503, error, answered, message: naming(...(answered ? [answered] : [])) });
  expect(String(thrown)).not.toMatch(/secret|"type"/);
});

test('an answer without an end is cut off', async () => {
  const patient = openSearchDomain({ key: 'k', url: server.url, index: 'i' }, guard, 600_000);
  await expect(patient.call({ method: 'GET', path: '/endless' })).rejects.toMatchObject({
    error: 'tooLarge',
  });
});
