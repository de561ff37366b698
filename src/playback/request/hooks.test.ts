// SPDX-License-Identifier: Apache-2.0
// Hooks over HTTP: what is sent, and how hooks that fail leave a break as it was.
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { opened } from '../../../test/opened.ts';
import { startMisbehavingServer } from '../../../test/servers/misbehavingServer.ts';
import { createEgressGuard } from '../../adapters/http/egressGuard.ts';
import { createHttpAdServer } from '../../adapters/http/httpAdServer.ts';
import { createHttpHook } from '../../adapters/http/httpHook.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
import type { StepsOutcome } from '../../ads/record/breakRecord.ts';
import { buildAdRequest } from '../../ads/request/buildAdRequest.ts';
import { houseAd } from '../../demand/house.ts';
import { millis } from '../../time/units.ts';
import { createHooks } from './hooks.ts';
import { momentOf } from './requestAds.ts';

const server = await opened(startMisbehavingServer());
const clock = { now: () => millis(Date.now()), timers: systemTimers };
const guard = createEgressGuard({ allow: ['127.0.0.1'] });
const hooksBehind = (dispatcher = guard, limits = {}) =>
  createHooks(createHttpHook(dispatcher, clock, limits), clock.timers);
/** Longer than any machine needs. */
const LONG = 600_000;

const facts = {
  session: { id: 's1', channelId: 'news', parameters: {}, viewer: { address: '203.0.113.7', userAgent: 'TV' } },
  adBreak: { id: 'b1', startsAt: millis(0), duration: 30 },
};
const ofSource = { ...facts, source: { id: 'partner', type: 'vast' } } as const;
const built = buildAdRequest({ url: 'https://ads.test/vast' }, facts.session, facts.adBreak, momentOf(millis(0)));
const ads = ['a', 'b'].map((title) =>
  houseAd({ url: `https://a.test/${title}.mp4`, title }, { source: 'own', step: 0 }),
);

const joined: StepsOutcome = { sources: [], warnings: [], ads, dropped: [], errors: [] };
const after = (adsUrl: string, { timeoutMs = LONG, outcome = joined } = {}) =>
  hooksBehind().afterAnswers(facts, { hooks: { adsUrl, timeoutMs } }, outcome, LONG);

/** A hook that answers with this text. */
function hookAnswering(text: string | Uint8Array, path = '/hook'): string {
  server.on(path, (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(text));
  return server.url + path;
}
const before = (requestUrl: string, { timeoutMs = LONG, timeLeft = LONG, hooks = hooksBehind() } = {}) =>
  hooks.beforeRequest({ requestUrl, timeoutMs }, ofSource, built, timeLeft);

test('a hook changes a request, and the call is signed and has the facts', async () => {
  const secret = `whsec_${Buffer.from('a secret of an operator').toString('base64')}`;
  const requestUrl = hookAnswering('{"request":{"parameters":{"genre":"news"}}}');
  const result = await hooksBehind().beforeRequest({ requestUrl, timeoutMs: LONG, secret }, ofSource, built, LONG);
  expect(result).toMatchObject({
    kind: 'send',
    built: { request: { url: 'https://ads.test/vast?genre=news' }, maskedUrl: 'https://ads.test/vast?genre=news' },
    trace: { hook: 'request', status: 200, changes: [naming('genre', 'news')] },
  });
  const { headers, body, method } = server.seen.at(-1) ?? { headers: {}, body: '', method: '' };
  expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
  expect([method, headers['content-type'], JSON.parse(body)]).toMatchObject([
    'POST',
    'application/json',
    { type: 'request' },
  ]);
});

test('a hook drops, orders and adds ads', async () => {
  const adsUrl = hookAnswering('{"drop":["1"],"add":[{"url":"https://own.test/p.mp4","title":"Promo"}]}');
  const result = await after(adsUrl);
  expect(result.ads.map(({ ad }) => ad.adTitle)).toEqual(['b', 'Promo']);
  expect(result).toMatchObject({ dropped: [{ title: 'a' }], adsHook: { hook: 'ads', status: 200 } });
  expect(result.adsHook?.changes).toHaveLength(2);
  const { headers = {}, body = '' } = server.seen.at(-1) ?? {};
  expect(headers).not.toHaveProperty('webhook-signature');
  expect(JSON.parse(body)).toMatchObject({
    type: 'ads',
    break: { duration: 30, free: 30 },
    ads: [{ title: 'a' }, { title: 'b' }],
  });
});

test('a break without ads has a reason, and none once a hook has added one', async () => {
  const none = { ...joined, ads: [], reason: { code: 'NO_ADS', text: 'None.' } } as const;
  const added = await after(hookAnswering('{"add":[{"url":"https://own.test/p.mp4","title":"Promo"}]}'), {
    outcome: none,
  });
  expect(added).not.toHaveProperty('reason');
  expect(await after(hookAnswering('{}'), { outcome: none })).toMatchObject({ reason: none.reason });
  const all = hookAnswering('{"drop":["1","2"]}');
  expect(await after(all)).toMatchObject({ ads: [], reason: { code: 'NO_AD_SHOWN' } });
});

test('an answer without content changes nothing', async () => {
  for (const path of ['/nothing', '/empty']) {
    const result = await before(server.url + path);
    expect(result).toMatchObject({ kind: 'send', trace: { changes: [] } });
    expect(result.kind === 'send' && result.built).toBe(built);
    expect(result.trace).not.toHaveProperty('error');
  }
});

test('without a hook, nothing is sent', async () => {
  const sent = server.seen.length;
  expect(await hooksBehind().beforeRequest({}, ofSource, built, LONG)).toEqual({ kind: 'send', built });
  expect(await hooksBehind().afterAnswers(facts, {}, joined, LONG)).toBe(joined);
  expect(await before(`${server.url}/ok`, { timeLeft: 0.5 })).toMatchObject({
    built,
    trace: { ms: 0, error: expect.any(String) },
  });
  expect(server.seen).toHaveLength(sent);
});

test.each([
  '/never',
  '/drip',
  '/reset',
  '/half',
  '/endless',
  '/declaresTooMuch',
  '/bomb',
  '/notGzip',
  '/notHttp',
  '/html',
  '/status?code=500',
  '/status?code=404',
  '/loop',
])('a hook at %s leaves requests and ads as they are', async (path) => {
  const timeoutMs = ['/never', '/drip'].includes(path) ? 60 : LONG;
  const result = await before(server.url + path, { timeoutMs });
  expect(result).toMatchObject({ kind: 'send', trace: { error: expect.any(String), changes: [] } });
  expect(result.kind === 'send' && result.built).toBe(built);
  const { adsHook, ...rest } = await after(server.url + path, { timeoutMs });
  expect(adsHook).toMatchObject({ error: expect.any(String), changes: [] });
  expect(rest).toEqual(joined);
});

test.each([
  ['null', 'null'],
  ['a list', '[1]'],
  ['a text', '"skip"'],
  ['a part of JSON', '{"request":'],
  ['JSON of another encoding', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ['deep JSON', '['.repeat(120_000) + ']'.repeat(120_000)],
  ['deep fields', `${'{"request":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
  ['a file', '{"request":{"url":"file:///etc/passwd"}}'],
])('an answer of %s is ignored', async (_, text) => {
  const result = await before(hookAnswering(text));
  expect(result.kind === 'send' && result.built).toEqual(built);
});

test('redirects are not followed', async () => {
  const target = hookAnswering('{"skip":"redirected"}', '/target');
  const result = await before(`${server.url}/redirect?code=307&to=${encodeURIComponent(target)}`);
  expect(result).toMatchObject({ kind: 'send', trace: { status: 307, error: naming('307') } });
  expect(server.seen.some(({ path }) => path === '/target')).toBe(false);
});

test('a hook that fails is not called after five failures, and others are', async () => {
  const hooks = hooksBehind(guard, { restMs: LONG });
  const failing = `${server.url}/status?code=503`;
  const called = () => server.seen.filter(({ path }) => path.endsWith('=503')).length;
  for (let time = 0; time < 8; time += 1) await before(failing, { hooks });
  expect(called()).toBe(5);
  expect(await before(hookAnswering('{"skip":"x"}'), { hooks })).toMatchObject({ kind: 'skip', reason: 'x' });
});

test('short timeouts are failures, too', async () => {
  const hooks = hooksBehind(guard, { restMs: LONG });
  const never = () => before(`${server.url}/never`, { hooks, timeoutMs: 60 });
  for (let time = 0; time < 5; time += 1) await never();
  expect(await never()).toMatchObject({ trace: { ms: 0, error: naming(5, 60) } });
});

test('neither a hook nor a request that it changes reaches a private address', async () => {
  const closed = createEgressGuard();
  const sent = server.seen.length;
  expect(await before(`${server.url}/ok`, { hooks: hooksBehind(closed) })).toMatchObject({
    trace: { error: expect.any(String) },
  });
  expect(server.seen).toHaveLength(sent);
  const result = await before(hookAnswering(JSON.stringify({ request: { url: `${server.url}/private` } })));
  const { url } = result.kind === 'send' ? result.built.request : { url: '' };
  expect(url).toBe(`${server.url}/private`);
  const { request } = result.kind === 'send' ? result.built : built;
  expect(await createHttpAdServer(closed).send(request, { timeoutMs: LONG })).toMatchObject({ error: 'egress' });
});
