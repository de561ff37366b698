// What an ad server says, and what becomes of it when it says nothing that can be used.
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { idsOf, inLine, lostOf, toldOf, useTestAdServer, vast } from '../../../test/testAdServer.ts';

const { ask, elapsed, serve, server, wrapper } = useTestAdServer();

describe('asking for ads', () => {
  it('returns the ads of an answer with what was asked and what came', async () => {
    const document = vast(inLine('a'), inLine('b'));
    serve('/vast', document);
    const answer = await ask('/vast?genre=[PLAYER.genre]&key=secret');
    expect(idsOf(answer)).toEqual(['a', 'b']);
    expect(answer).toMatchObject({
      request: { url: `${server().url}/vast?genre=sport&key=***`, status: 200 },
      response: { version: '4.2', bytes: document.length, raw: document },
      dropped: [],
      errors: [],
    });
    expect(answer).not.toHaveProperty('reason');
    expect(server().seen[0]).toMatchObject({
      path: '/vast?genre=sport&key=secret',
      headers: { 'user-agent': 'Viewer/1', 'x-forwarded-for': '203.0.113.7' },
    });
  });

  it('plays the pod in its sequence and keeps stand-alone ads for later', async () => {
    serve('/vast', vast(inLine('alone'), inLine('z', { sequence: 7 }), inLine('y', { sequence: 3 })));
    expect(idsOf(await ask('/vast'))).toEqual(['1:y', '2:z', 'alone']);
  });

  it('looks at a bounded number of ads', async () => {
    serve('/vast', vast(...Array.from({ length: 60 }, (_, index) => inLine(`a${index}`))));
    const answer = await ask('/vast');
    expect(answer.ads.length).toBe(50);
    expect(answer.warnings).toEqual([naming(60, 50)]);
  });

  it('reads an answer, and what its wrappers lead to, in the encoding that it came with', async () => {
    const latin = (document: string) => Buffer.from(document, 'latin1');
    const headers = { 'content-type': 'text/xml;charset=ISO-8859-1' };
    server().on('/latin', (response) => void response.writeHead(200, headers).end(latin(vast(inLine('käse')))));
    server().on('/outer', (response) => {
      response.writeHead(200, headers).end(latin(vast(inLine('brötchen'), wrapper('w', '/latin'))));
    });
    const answer = await ask('/outer');
    expect(idsOf(answer)).toEqual(['brötchen', 'käse']);
    expect(answer.response?.raw).toContain('Ad brötchen');
  });

  it('keeps a bounded part of a long answer', async () => {
    serve('/vast', vast(inLine('a'), `<!--${'x'.repeat(200_000)}-->`));
    const answer = await ask('/vast');
    expect(answer.response?.raw.length).toBe(64 * 1024);
    expect(answer.response?.bytes).toBeGreaterThan(200_000);
    expect(idsOf(answer)).toEqual(['a']);
  });
});

describe('every failure is an answer with a reason, in time', () => {
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
    const answer = await ask(path, { timeoutMs });
    expect(elapsed() - started).toBeLessThanOrEqual(code === 'AD_SERVER_TIMEOUT' ? timeoutMs : timeoutMs / 2);
    expect(answer).toMatchObject({ ads: [], reason: { code, text: naming(...values) } });
    if (code !== 'NO_ADS') expect(answer.request.error).toBe(answer.reason!.text);
  });

  it.each(['/html', '/ok'])('%s is not VAST', async (path) => {
    const answer = await ask(path);
    expect(answer).toMatchObject({ ads: [], reason: { code: 'VAST_UNREADABLE' }, request: { status: 200 } });
    expect(answer.reason?.text).toMatch(/\b\d+\b/);
    expect(answer.response?.raw.length).toBeGreaterThan(10);
  });

  it('says that VAST without ads is none, and tells its Error URLs', async () => {
    serve('/vast', '<VAST version="3.0"><Error>http://t.example/error/none?code=[ERRORCODE]</Error></VAST>');
    const answer = await ask('/vast');
    expect(answer).toMatchObject({ reason: { code: 'NO_ADS', text: naming('VAST') }, response: { version: '3.0' } });
    expect(toldOf(answer)).toEqual(['none 303']);
  });

  it('does not ask an address that is not allowed, nor repeat the URL', async () => {
    const answer = await ask('', { url: 'http://10.0.0.1/?token=secret' });
    expect(answer.reason).toEqual({ code: 'AD_SERVER_FAILED', text: naming('private') });
    expect(server().seen).toEqual([]);
    expect(JSON.stringify(answer)).not.toContain('secret');
  });
});

describe('VMAP', () => {
  const adBreak = (source: string, more = '') =>
    `<vmap:AdBreak timeOffset="start" breakType="linear"${more}><vmap:AdSource allowMultipleAds="true">${source}</vmap:AdSource></vmap:AdBreak>`;
  const vmap = (...breaks: string[]) =>
    `<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">${breaks.join('')}</vmap:VMAP>`;

  it('is read for its inline VAST and its ad tags', async () => {
    serve('/tag', vast(inLine('b')));
    const tag = `<vmap:AdTagURI templateType="vast3"><![CDATA[./tag?d=[BREAK_DURATION]]]></vmap:AdTagURI>`;
    serve('/vmap', vmap(adBreak(`<vmap:VASTAdData>${vast(inLine('a'))}</vmap:VASTAdData>`), adBreak(tag)));
    expect(idsOf(await ask('/vmap'))).toEqual(['a', 'b']);
    expect(server().seen.at(-1)?.path).toBe('/tag?d=30');
  });

  it('keeps with each ad whom its own break reports to, also behind a wrapper', async () => {
    serve('/tag', vast(inLine('c')));
    const told = (name: string) =>
      `<vmap:TrackingEvents><vmap:Tracking event="breakStart">http://t.example/${name}</vmap:Tracking></vmap:TrackingEvents>`;
    const inside = (ads: string) => `<vmap:VASTAdData>${vast(ads)}</vmap:VASTAdData>`;
    const withTold = (source: string, name: string) =>
      adBreak(source).replace('</vmap:AdBreak>', `${told(name)}</vmap:AdBreak>`);
    serve(
      '/vmap',
      vmap(
        withTold(inside(inLine('a') + inLine('b')), 'first'),
        withTold(inside(''), 'empty'),
        withTold(`<vmap:AdTagURI>${server().url}/tag</vmap:AdTagURI>`, 'last'),
        adBreak(inside(inLine('d'))),
      ),
    );
    const { ads } = await ask('/vmap');
    expect(ads.map(({ ad, breakTracking }) => [ad.id, breakTracking?.map(({ url }) => url)])).toEqual([
      ['a', ['http://t.example/first']],
      ['b', ['http://t.example/first']],
      ['c', ['http://t.example/last']],
      ['d', undefined],
    ]);
    expect(ads[0]!.breakTracking).toBe(ads[1]!.breakTracking);
  });

  it('names a break that cannot be read, and shows the others', async () => {
    const inside = (data: string) => `<vmap:VASTAdData>${data}</vmap:VASTAdData>`;
    const escaped = vast(inLine('b')).replaceAll('&', '&amp;').replaceAll('<', '&amp;lt;');
    serve('/vmap', vmap(adBreak(inside(escaped), ' breakId="mid"'), adBreak(inside(vast(inLine('a'))))));
    const answer = await ask('/vmap');
    expect(idsOf(answer)).toEqual(['a']);
    expect(lostOf(answer)).toEqual(['mid VAST_UNREADABLE']);
    expect(answer.dropped[0]!.skip.text).toEqual(naming('VASTAdData', 'escaped'));
    serve('/alone', vmap(adBreak(inside(escaped))));
    expect((await ask('/alone')).reason).toEqual({ code: 'NO_AD_SHOWN', text: naming('VASTAdData', 'escaped') });
  });

  it('without breaks holds no ad', async () => {
    serve('/vmap', vmap());
    expect((await ask('/vmap')).reason).toEqual({ code: 'NO_ADS', text: naming('VMAP') });
  });
});
