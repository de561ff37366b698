// What an ad server says, and what becomes of it when it says nothing that can be used.
import { describe, expect, it } from 'vitest';
import { adQuestions, idsOf, inLine, toldOf, vast } from '../../test/adQuestions.ts';

const { ask, serve, server, wrapper } = adQuestions();

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
    expect(answer.warnings).toEqual(['60 ads came back; the first 50 were looked at']);
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
    ['/never', 'AD_SERVER_TIMEOUT', 'The ad server did not answer completely within 300 ms.'],
    ['/drip', 'AD_SERVER_TIMEOUT', 'The ad server did not answer completely within 300 ms.'],
    ['/endless', 'AD_SERVER_FAILED', 'The ad server sent more than 2097152 bytes.'],
    ['/bomb', 'AD_SERVER_FAILED', 'The ad server sent more than 2097152 bytes.'],
    ['/declaresTooMuch', 'AD_SERVER_FAILED', 'The ad server sent more than 2097152 bytes.'],
    ['/reset', 'AD_SERVER_FAILED', 'The ad server reset the connection.'],
    ['/status?code=503', 'AD_SERVER_FAILED', 'The ad server answered 503.'],
    ['/notGzip', 'AD_SERVER_FAILED', 'The ad server sent a body that its content-encoding does not fit.'],
    ['/notHttp', 'AD_SERVER_FAILED', 'The ad server did not answer in HTTP.'],
    ['/loop', 'AD_SERVER_FAILED', 'The ad server redirected more than 5 times.'],
    ['/nothing', 'NO_ADS', 'The ad server answered 204 with nothing in it.'],
    ['/empty', 'NO_ADS', 'The ad server answered 200 with nothing in it.'],
  ])('%s: %s', async (path, code, text) => {
    const started = performance.now();
    const answer = await ask(path, { timeoutMs: text.includes('300') ? 300 : 20_000 });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(answer).toMatchObject({ ads: [], reason: { code, text } });
    if (code !== 'NO_ADS') expect(answer.request.error).toBe(text);
  });

  it.each(['/html', '/ok'])('%s is not VAST', async (path) => {
    const answer = await ask(path);
    expect(answer).toMatchObject({ ads: [], reason: { code: 'VAST_UNREADABLE' }, request: { status: 200 } });
    expect(answer.reason?.text).toMatch(/^The ad server did not send VAST: .* \(line \d+\)\.$/);
    expect(answer.response?.raw.length).toBeGreaterThan(10);
  });

  it('says that VAST without ads is none, and tells its Error URLs', async () => {
    serve('/vast', '<VAST version="3.0"><Error>http://t.example/error/none?code=[ERRORCODE]</Error></VAST>');
    const answer = await ask('/vast');
    expect(answer.reason).toEqual({ code: 'NO_ADS', text: 'The ad server answered with VAST that holds no ad.' });
    expect(toldOf(answer)).toEqual(['none 303']);
  });

  it('does not ask an address that is not allowed, nor repeat the URL', async () => {
    const answer = await ask('', { url: 'http://10.0.0.1/?token=secret' });
    expect(answer.reason?.text).toContain('not public (private)');
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
    const tag = `<vmap:AdTagURI templateType="vast3"><![CDATA[${server().url}/tag?d=[BREAK_DURATION]]]></vmap:AdTagURI>`;
    serve('/vmap', vmap(adBreak(`<vmap:VASTAdData>${vast(inLine('a'))}</vmap:VASTAdData>`), adBreak(tag)));
    expect(idsOf(await ask('/vmap'))).toEqual(['a', 'b']);
    expect(server().seen.at(-1)?.path).toBe('/tag?d=30');
  });

  it('without breaks holds no ad', async () => {
    serve('/vmap', vmap());
    expect((await ask('/vmap')).reason?.code).toBe('NO_ADS');
  });
});
