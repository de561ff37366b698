// SPDX-License-Identifier: Apache-2.0
// Requests to an ad server of the test: usable responses, and every kind of failure.
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { droppedOf, errorsOf, idsOf, inLine, useTestAdServer, vast } from '../../../test/testAdServer.ts';

const { request, elapsed, serve, server, wrapper } = useTestAdServer();

describe('an ad request', () => {
  it('returns the ads with the request and the response', async () => {
    const document = vast(inLine('a'), inLine('b'));
    serve('/vast', document);
    const outcome = await request('/vast?genre=[PLAYER.genre]&key=secret');
    expect(idsOf(outcome)).toEqual(['a', 'b']);
    expect(outcome).toMatchObject({
      request: { url: `${server().url}/vast?genre=sport&key=***`, status: 200 },
      response: { version: '4.2', bytes: document.length, raw: document },
      dropped: [],
      errors: [],
    });
    expect(outcome).not.toHaveProperty('reason');
    expect(server().seen[0]).toMatchObject({
      path: '/vast?genre=sport&key=secret',
      headers: { 'user-agent': 'Viewer/1', 'x-forwarded-for': '203.0.113.7' },
    });
  });

  it('orders the pod by sequence and puts stand-alone ads after it', async () => {
    serve('/vast', vast(inLine('alone'), inLine('z', { sequence: 7 }), inLine('y', { sequence: 3 })));
    expect(idsOf(await request('/vast'))).toEqual(['1:y', '2:z', 'alone']);
  });

  it('uses a limited number of ads', async () => {
    serve('/vast', vast(...Array.from({ length: 60 }, (_, index) => inLine(`a${index}`))));
    const outcome = await request('/vast');
    expect(outcome.ads.length).toBe(50);
    expect(outcome.warnings).toEqual([naming(60, 50)]);
  });

  it('decodes the response and those of its wrappers by their declared encodings', async () => {
    const latin = (document: string) => Buffer.from(document, 'latin1');
    const headers = { 'content-type': 'text/xml;charset=ISO-8859-1' };
    server().on('/latin', (response) => void response.writeHead(200, headers).end(latin(vast(inLine('käse')))));
    server().on('/outer', (response) => {
      response.writeHead(200, headers).end(latin(vast(inLine('brötchen'), wrapper('w', '/latin'))));
    });
    const outcome = await request('/outer');
    expect(idsOf(outcome)).toEqual(['brötchen', 'käse']);
    expect(outcome.response?.raw).toContain('Ad brötchen');
  });

  it('keeps the start of a long response', async () => {
    serve('/vast', vast(inLine('a'), `<!--${'x'.repeat(200_000)}-->`));
    const outcome = await request('/vast');
    expect(outcome.response?.raw.length).toBe(64 * 1024);
    expect(outcome.response?.bytes).toBeGreaterThan(200_000);
    expect(idsOf(outcome)).toEqual(['a']);
  });
});

describe('every failure returns an outcome with a reason, in time', () => {
  it.each([
    ['/never', 'AD_SERVER_TIMEOUT', [300]],
    ['/drip', 'AD_SERVER_TIMEOUT', [300]],
    ['/endless', 'AD_SERVER_FAILED', [2_097_152]],
    ['/bomb', 'AD_SERVER_FAILED', [2_097_152]],
    ['/declaresTooMuch', 'AD_SERVER_FAILED', [2_097_152]],
    ['/reset', 'AD_SERVER_FAILED', []],
    ['/status?code=503', 'AD_SERVER_FAILED', [503]],
    ['/notGzip', 'AD_SERVER_FAILED', ['content-encoding']],
    ['/notHttp', 'AD_SERVER_FAILED', ['HTTP']],
    ['/loop', 'AD_SERVER_FAILED', [5]],
    ['/nothing', 'NO_ADS', [204]],
    ['/empty', 'NO_ADS', [200]],
  ])('%s: %s', async (path, code, values) => {
    const started = elapsed();
    const timeoutMs = code === 'AD_SERVER_TIMEOUT' ? 300 : 20_000;
    const outcome = await request(path, { timeoutMs });
    expect(elapsed() - started).toBeLessThanOrEqual(code === 'AD_SERVER_TIMEOUT' ? timeoutMs : timeoutMs / 2);
    expect(outcome).toMatchObject({ ads: [], reason: { code, text: naming(...values) } });
    if (code !== 'NO_ADS') expect(outcome.request.error).toBe(outcome.reason!.text);
  });

  it.each(['/html', '/ok'])('%s is not VAST', async (path) => {
    const outcome = await request(path);
    expect(outcome).toMatchObject({ ads: [], reason: { code: 'VAST_UNREADABLE' }, request: { status: 200 } });
    expect(outcome.reason?.text).toMatch(/\b\d+\b/);
    expect(outcome.response?.raw.length).toBeGreaterThan(10);
  });

  it('returns NO_ADS for VAST without ads and calls its Error URLs', async () => {
    serve('/vast', '<VAST version="3.0"><Error>http://t.example/error/none?code=[ERRORCODE]</Error></VAST>');
    const outcome = await request('/vast');
    expect(outcome).toMatchObject({ reason: { code: 'NO_ADS', text: naming('VAST') }, response: { version: '3.0' } });
    expect(errorsOf(outcome)).toEqual(['none 303']);
  });

  it('sends nothing to an address that is not allowed and does not quote the URL', async () => {
    const outcome = await request('', { url: 'http://10.0.0.1/?token=secret' });
    expect(outcome.reason).toEqual({ code: 'AD_SERVER_FAILED', text: naming('private') });
    expect(server().seen).toEqual([]);
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });
});

describe('VMAP', () => {
  const adBreak = (source: string, more = '') =>
    `<vmap:AdBreak timeOffset="start" breakType="linear"${more}><vmap:AdSource allowMultipleAds="true">${source}</vmap:AdSource></vmap:AdBreak>`;
  const vmap = (...breaks: string[]) =>
    `<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">${breaks.join('')}</vmap:VMAP>`;

  it('is resolved to its inline VAST and its ad tags', async () => {
    serve('/tag', vast(inLine('b')));
    const tag = `<vmap:AdTagURI templateType="vast3"><![CDATA[./tag?d=[BREAK_DURATION]]]></vmap:AdTagURI>`;
    serve('/vmap', vmap(adBreak(`<vmap:VASTAdData>${vast(inLine('a'))}</vmap:VASTAdData>`), adBreak(tag)));
    expect(idsOf(await request('/vmap'))).toEqual(['a', 'b']);
    expect(server().seen.at(-1)?.path).toBe('/tag?d=30');
  });

  it('keeps the tracking URLs of each break with its ads, also behind a wrapper', async () => {
    serve('/tag', vast(inLine('c')));
    const tracking = (name: string) =>
      `<vmap:TrackingEvents><vmap:Tracking event="breakStart">http://t.example/${name}</vmap:Tracking></vmap:TrackingEvents>`;
    const inside = (ads: string) => `<vmap:VASTAdData>${vast(ads)}</vmap:VASTAdData>`;
    const tracked = (source: string, name: string) =>
      adBreak(source).replace('</vmap:AdBreak>', `${tracking(name)}</vmap:AdBreak>`);
    serve(
      '/vmap',
      vmap(
        tracked(inside(inLine('a') + inLine('b')), 'first'),
        tracked(inside(''), 'empty'),
        tracked(`<vmap:AdTagURI>${server().url}/tag</vmap:AdTagURI>`, 'last'),
        adBreak(inside(inLine('d'))),
      ),
    );
    const { ads } = await request('/vmap');
    expect(ads.map(({ ad, breakTracking }) => [ad.id, breakTracking?.map(({ url }) => url)])).toEqual([
      ['a', ['http://t.example/first']],
      ['b', ['http://t.example/first']],
      ['c', ['http://t.example/last']],
      ['d', undefined],
    ]);
    expect(ads[0]!.breakTracking).toBe(ads[1]!.breakTracking);
  });

  it('reports a break that cannot be read and uses the others', async () => {
    const inside = (data: string) => `<vmap:VASTAdData>${data}</vmap:VASTAdData>`;
    const escaped = vast(inLine('b')).replaceAll('&', '&amp;').replaceAll('<', '&amp;lt;');
    serve('/vmap', vmap(adBreak(inside(escaped), ' breakId="mid"'), adBreak(inside(vast(inLine('a'))))));
    const outcome = await request('/vmap');
    expect(idsOf(outcome)).toEqual(['a']);
    expect(droppedOf(outcome)).toEqual(['mid VAST_UNREADABLE']);
    expect(outcome.dropped[0]!.skip.text).toEqual(naming('VASTAdData', 'escaped'));
    serve('/alone', vmap(adBreak(inside(escaped))));
    expect((await request('/alone')).reason).toEqual({ code: 'NO_AD_SHOWN', text: naming('VASTAdData', 'escaped') });
  });

  it('without breaks returns NO_ADS', async () => {
    serve('/vmap', vmap());
    expect((await request('/vmap')).reason).toEqual({ code: 'NO_ADS', text: naming('VMAP') });
  });

  it('warns of macros that are not replaced, in the ad source and in the response', async () => {
    const ad = (id: string) => inLine(id).replace('/impression/', '/impression/{{PRICE}}/[CACHEBUSTING]/ids[key]/');
    serve('/vast', vast(ad('a'), ad('b')));
    const outcome = await request('/vast?a={{NETWORK}}&b={{CACHEBUSTING}}&c=%%GDPR%%', { params: { d: '[MY_ID]' } });
    expect(outcome.warnings).toEqual([naming('{{NETWORK}}'), naming('[MY_ID]'), naming('"a"', '{{PRICE}}')]);
    expect(server().seen[0]!.path).toMatch(/^\/vast\?a=(\{\{|%7B%7B)NETWORK(\}\}|%7D%7D)&b=\d{8}&/);
  });
});
