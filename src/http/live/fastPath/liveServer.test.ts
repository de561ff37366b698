// SPDX-License-Identifier: Apache-2.0
// The answers to requests of all kinds are those of node:http.
import { afterAll, expect, test } from 'vitest';
import { get, otherRequests, plainRequests } from '../../../../test/fastPath/corpus.ts';
import { startTwins } from '../../../../test/fastPath/twins.ts';

const twins = await startTwins();
afterAll(() => twins.close());

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

/** @returns whether the connection stayed with the fast server */
async function expectAlike(...chunks: readonly string[]): Promise<boolean> {
  const { fast } = twins.counts;
  const [one, other] = await twins.send(chunks.map(bytes));
  expect(one).toEqual(other);
  return twins.counts.fast > fast;
}

const ways = ['bytes', 'long', 'utf8', 'empty', 'nothing', 'redirect', 'error', 'missing', 'later', 'other'];

test.each(ways)('a plain GET of /%s', async (way) => {
  expect(await expectAlike(get(`/${way}`), get(`/${way}?again`))).toBe(true);
});

test.each(Object.keys(plainRequests))('%s', async (name) => {
  expect(await expectAlike(...plainRequests[name]!)).toBe(true);
});

test.each(Object.keys(otherRequests))('left to node:http: %s', async (name) => {
  expect(await expectAlike(...otherRequests[name]!)).toBe(false);
  // On a connection that was fast until then.
  expect(await expectAlike(get('/before'), ...otherRequests[name]!)).toBe(false);
});

test('a head of 100 KB is answered with the same status', async () => {
  const [one, other] = await twins.send([bytes(get('/', `x-long: ${'x'.repeat(100_000)}`))]);
  expect(one.isOpen).toBe(false);
  expect(one.isOpen).toBe(other.isOpen);
  // A server that closes before it has read everything may reset the connection, and the client loses the response.
  for (const { received } of [one, other]) expect(received.slice(0, 12)).toMatch(/^(HTTP\/1.1 431)?$/);
});

test('a request that is split at any byte', async () => {
  const text = get('/split', 'Accept-Encoding: gzip', 'Connection: keep-alive');
  for (let at = 1; at < text.length; at += 1) {
    expect(await expectAlike(text.slice(0, at), text.slice(at), get('/2')), `at ${at}`).toBe(false);
    await expectAlike(get('/before'), text.slice(0, at), text.slice(at));
  }
  await expectAlike(...text);
});
