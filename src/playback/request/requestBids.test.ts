// SPDX-License-Identifier: Apache-2.0
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: macros use this syntax
// Bids of a server on loopback, and every kind of failure.
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { droppedOf, errorsOf, idsOf, inLine, useTestAdServer, vast } from '../../../test/testAdServer.ts';

const { elapsed, requestBids, serve, server, wrapper } = useTestAdServer();

const app = { app: { bundle: 'example.tv' } };
const bid = (id: string, more: object = {}) => ({ id, impid: '1', price: 5, dur: 15, adm: vast(inLine(id)), ...more });
/** @param after delay in milliseconds */
const respond = (bids: readonly object[], more: object = {}, after = 0) =>
  serve('/bids', JSON.stringify({ cur: 'USD', seatbid: [{ seat: 's1', bid: bids }], ...more }), after);
const request = (...[more, options]: [Parameters<typeof requestBids>[1]?, Parameters<typeof requestBids>[2]?]) =>
  requestBids('/bids', { template: app, ...more }, options);
const sent = () => server().seen[0]!;

describe('a bid request', () => {
  it('is compressed JSON with the time that the bidder has', async () => {
    respond([bid('a')]);
    const { request: traced } = await request({ gzip: true }, { timeoutMs: 1500 });
    expect(sent()).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-openrtb-version': '2.6' },
    });
    expect(JSON.parse(sent().body)).toMatchObject({ tmax: 1200, imp: [{ video: { podid: 'break-1', poddur: 30 } }] });
    expect(traced).toMatchObject({ method: 'POST', status: 200, body: sent().body });
  });

  it('is plain JSON unless the source agrees to compression', async () => {
    respond([bid('a')]);
    expect(idsOf(await request())).toEqual(['a']);
    expect(sent().headers).not.toHaveProperty('content-encoding');
  });

  it('follows a redirect with its body', async () => {
    respond([bid('a')]);
    expect(idsOf(await requestBids('/redirect?code=307&to=/bids', { template: app }))).toEqual(['a']);
    expect(server().seen[1]).toMatchObject({ method: 'POST', body: sent().body });
  });

  it('and its response are in the trace without secrets', async () => {
    respond([bid('a')], { ext: { echo: 'abcdef123' } });
    const template = { ...app, ext: { partner: { token: 'abcdef123' } } };
    const { request: traced, response } = await request({ template });
    expect(sent().body).toContain('abcdef123');
    expect(JSON.stringify({ traced, response })).not.toContain('abcdef123');
    expect(response).toMatchObject({ version: '', raw: naming('***') });
  });
});

describe('bids', () => {
  it('are ads with an offer, best price per second first', async () => {
    const notices = { nurl: 'http://n.example/?p=${AUCTION_PRICE}', lurl: 'http://l.example/?c=${AUCTION_LOSS}' };
    const facts = { adomain: ['tea.example'], cat: ['IAB8'], crid: 'cr', dealid: 'd1', ...notices };
    respond([bid('a', { dur: 30 }), bid('b', facts)]);
    const outcome = await request();
    expect(idsOf(outcome)).toEqual(['b', 'a']);
    expect(outcome.ads[0]!.offer).toEqual({
      step: 1,
      source: 'exchange',
      price: { micros: 5_000_000, currency: 'USD' },
      traits: { advertisers: ['tea.example'], categories: ['iab8'], creatives: ['cr'] },
      bid: {
        id: 'b',
        seat: 's1',
        deal: 'd1',
        notices: { win: 'http://n.example/?p=5', loss: 'http://l.example/?c=${AUCTION_LOSS}' },
      },
    });
    expect(outcome.warnings).toEqual([]);
    expect(outcome).not.toHaveProperty('reason');
  });

  it('have their billing notice called with the impression, once', async () => {
    const burl = 'http://t.example/impression/b';
    respond([bid('a', { burl: 'http://b.example/?p=${AUCTION_PRICE:B64}' }), bid('b', { burl })]);
    const { ads } = await request();
    expect(ads.map(({ ad }) => ad.impressions)).toEqual([
      [{ id: 'burl', url: 'http://b.example/?p=NQ%3D%3D' }, { url: 'http://t.example/impression/a' }],
      [{ url: burl }],
    ]);
  });

  it('may have wrappers in their markup, which share the deadline and have macros filled', async () => {
    serve('/tag', vast(inLine('x')));
    const to = (path: string) => ({ adm: vast(wrapper('w', path)), lurl: 'http://l.example/' });
    respond([bid('a', to('/tag?p=${AUCTION_PRICE}&b=[BREAK_ID]')), bid('b', to('/never')), bid('c', to('/nothing'))]);
    const started = elapsed();
    const outcome = await request({}, { timeoutMs: 2000 });
    expect(elapsed() - started).toBeLessThanOrEqual(2000);
    expect(idsOf(outcome)).toEqual(['x']);
    expect(outcome.ads[0]!.ad.impressions).toHaveLength(2);
    expect(outcome.wrappers?.map(({ url }) => url)).toContain(`${server().url}/tag?p=5&b=break-1`);
    expect(droppedOf(outcome)).toEqual(['w WRAPPER_TIMEOUT', 'w WRAPPER_EMPTY']);
    expect(outcome.dropped.map(({ offer }) => offer?.bid?.id)).toEqual(['b', 'c']);
    expect(errorsOf(outcome)).toEqual(['w 301', 'w 303']);
  });

  it('are one ad each', async () => {
    const pod = vast(inLine('second', { sequence: 2 }), inLine('first', { sequence: 1 }), inLine('other'));
    respond([bid('a', { adm: pod })]);
    const outcome = await request();
    expect(idsOf(outcome)).toEqual(['first']);
    expect(droppedOf(outcome)).toEqual(['second BID_INVALID', 'other BID_INVALID']);
  });

  it.each([
    ['not XML', 'VAST_UNREADABLE'],
    ['<VAST version="4.2"/>', 'BID_INVALID'],
    [JSON.stringify({ ads: [] }), 'VAST_UNREADABLE'],
  ])('with the markup %s cost that bid', async (adm, code) => {
    respond([bid('a'), bid('b', { adm })]);
    const outcome = await request();
    expect(idsOf(outcome)).toEqual(['a']);
    expect(droppedOf(outcome)).toEqual([`b ${code}`]);
    expect(outcome.dropped[0]!.offer?.bid?.id).toBe('b');
  });

  it('declare any encoding in their markup, which is that of JSON', async () => {
    const adm = `<?xml version="1.0" encoding="iso-8859-1"?>${vast(inLine('ä'))}`;
    respond([bid('a', { adm })]);
    expect(idsOf(await request())).toEqual(['ä']);
  });

  it('are judged by the length in their markup', async () => {
    respond([bid('a', { dur: 5, price: 1.4 }), bid('b', { dur: undefined, price: 1.5 })]);
    const outcome = await request({ floorPerSecond: 0.1 });
    expect(idsOf(outcome)).toEqual(['b']);
    expect(droppedOf(outcome)).toEqual(['a BELOW_FLOOR']);
  });

  it('that are all refused leave a reason', async () => {
    respond([bid('a', { price: 1 }), bid('b', { dur: 60 })]);
    expect(await request({ floor: 2 })).toMatchObject({
      ads: [],
      reason: { code: 'NO_AD_SHOWN', text: naming('1 USD', '2 USD') },
      dropped: [{ id: 'a', offer: { price: { micros: 1_000_000 } } }, { id: 'b' }],
    });
  });

  it('of a large response are the best 30 of the first 200', async () => {
    const padding = 'x'.repeat(1000);
    respond(Array.from({ length: 210 }, (_, index) => bid(`b${index}`, { price: 1 + index, ext: { padding } })));
    const outcome = await request();
    expect(outcome.response!.bytes).toBeGreaterThan(256 * 1024);
    expect(idsOf(outcome)).toEqual(Array.from({ length: 30 }, (_, index) => `b${199 - index}`));
    expect(outcome.response!.raw.length).toBe(64 * 1024);
    expect(outcome.dropped).toHaveLength(50);
  });
});

describe('no bid', () => {
  it.each([
    ['/nothing', ''],
    ['/empty', ''],
    ['/bids', '{}'],
    ['/bids', '{"seatbid":[]}'],
  ])('%s %s is a reason', async (path, body) => {
    if (body !== '') serve('/bids', body);
    const outcome = await requestBids(path, { template: app });
    expect(outcome).toMatchObject({ ads: [], dropped: [], warnings: [], reason: { code: 'NO_BID' } });
  });

  it('has the reason of the bidder', async () => {
    serve('/bids', '{"id":"x","nbr":"8"}');
    expect(await request()).toMatchObject({
      reason: { code: 'NO_BID', text: naming('nbr 8'), nbr: 8 },
      warnings: [naming('x')],
    });
  });
});

describe('a failure', () => {
  it('is a response that is not JSON', async () => {
    const { reason, response } = await requestBids('/html?key=abcdef123', { template: app });
    expect(reason).toMatchObject({ code: 'BIDS_UNREADABLE' });
    expect(response).toMatchObject({ contentType: 'text/html', raw: naming('Sorry!') });
  });

  it.each([
    ['/never', 'AD_SERVER_TIMEOUT'],
    ['/drip', 'AD_SERVER_TIMEOUT'],
    ['/reset', 'AD_SERVER_FAILED'],
    ['/status?code=400', 'AD_SERVER_FAILED'],
    ['/bomb', 'AD_SERVER_FAILED'],
  ])('is %s', async (path, code) => {
    const outcome = await requestBids(path, { template: app }, { timeoutMs: 500 });
    expect(outcome).toMatchObject({ ads: [], reason: { code, text: naming('bidder') } });
  });

  it('is a response of more than 1 MiB', async () => {
    respond([bid('a', { ext: 'x'.repeat(2 ** 20) })]);
    expect(await request()).toMatchObject({ reason: { code: 'AD_SERVER_FAILED' } });
  });
});

it('sends what its caller makes of the request, and reads the bids for that, or sends nothing', async () => {
  respond([bid('a', { impid: 'own' }), bid('b')], { id: 'other' });
  const body = '{"id":"other","imp":[{"id":"own"}]}';
  const changed = await request({}, { change: async (built) => ({ ...built, request: { ...built.request, body } }) });
  expect(idsOf(changed)).toEqual(['a']);
  expect([droppedOf(changed), changed.warnings]).toEqual([['b BID_INVALID'], []]);
  expect(sent().body).toBe(body);
  const reason = { code: 'NO_BID', text: 'Skipped.' } as const;
  const skipped = await request({}, { change: async () => reason });
  expect(skipped).toMatchObject({ ads: [], reason, request: { ms: 0 } });
  expect(server().seen).toHaveLength(1);
});

it('warns of a template that most bidders reject', async () => {
  respond([bid('a')]);
  expect((await request({ template: {} })).warnings).toHaveLength(1);
});
