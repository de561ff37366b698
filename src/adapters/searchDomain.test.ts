// A search domain that is none: whatever it does, it is told in a sentence, within the time allowed and bounded memory.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MisbehavingServer, startMisbehavingServer } from '../../test/misbehavingServer.ts';
import { createEgressGuard } from './egressGuard.ts';
import { openSearchDomain, type SearchDomain } from './searchDomain.ts';

const guard = createEgressGuard({ allow: ['127.0.0.0/8'] });
let server: MisbehavingServer;
let domain: SearchDomain;
beforeAll(async () => {
  server = await startMisbehavingServer();
  server.on('/json', (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'));
  server.on('/broken', (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":'));
  server.on('/odd', (response) => {
    const body = JSON.stringify({ error: { type: 'a "type" with\nwords', reason: 'secret' } });
    response.writeHead(418, { 'content-type': 'application/json' }).end(body);
  });
  domain = openSearchDomain({ key: 'k', url: server.url, index: 'i', user: 'u', password: 'p' }, guard, 400);
});
afterAll(() => Promise.all([server.close(), guard.close()]));

test('an answer in JSON is taken', async () => {
  expect(await domain.call({ method: 'GET', path: '/json' })).toEqual({ a: 1 });
});

test.each([
  ['/never', 'did not answer in time'],
  ['/drip', 'did not answer in time'],
  ['/half', 'closed the connection before its answer was complete'],
  ['/reset', 'reset the connection'],
  ['/bomb', 'sent a packed answer, which was not asked for'],
  ['/ok', 'did not answer in JSON'],
  ['/empty', 'did not answer in JSON'],
  ['/broken', 'did not answer in JSON'],
  ['/odd', 'answered 418'],
])('%s', async (path, words) => {
  await expect(domain.call({ method: 'GET', path, isOnce: true })).rejects.toMatchObject({
    status: 503,
    message: `The search domain of this system ${words}.`,
  });
});

test('an answer without an end is cut off', async () => {
  const patient = openSearchDomain({ key: 'k', url: server.url, index: 'i' }, guard, 20_000);
  await expect(patient.call({ method: 'GET', path: '/endless', isOnce: true })).rejects.toThrow('sent more than');
});
