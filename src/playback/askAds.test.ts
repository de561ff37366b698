import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MisbehavingServer, startMisbehavingServer } from '../../test/misbehavingServer.ts';
import { createEgressGuard } from '../adapters/egressGuard.ts';
import { createFireAndForget } from '../adapters/fireAndForget.ts';
import { createHttpAdServer } from '../adapters/httpAdServer.ts';
import { millis } from '../time/units.ts';
import { type AdQuestion, askAds } from './askAds.ts';
import type { AdAnswer } from './askAdsAnswer.ts';
import { errorsOf, tellErrors } from './askAdsErrors.ts';

let server: MisbehavingServer;
beforeEach(async () => {
  server = await startMisbehavingServer();
});
afterEach(() => server.close());

const guard = createEgressGuard({ allow: ['127.0.0.1'] });
const now = millis(1_700_000_000_000);
const session = {
  id: 'session-1',
  channelId: 'news',
  parameters: { genre: 'sport' },
  viewer: { address: '203.0.113.7', userAgent: 'Viewer/1' },
};
const asked = { id: 'break-1', startsAt: now, duration: 30 };

function ask(path: string, more: Partial<AdQuestion['source']> = {}): Promise<AdAnswer> {
  const source = { url: `${server.url}${path}`, timeoutMs: 1_000, ...more };
  return askAds({ source, session, asked }, createHttpAdServer(guard), now);
}

const vast = (...ads: string[]) => `<VAST version="4.2">${ads.join('')}</VAST>`;
const attributes = (values: Record<string, unknown>) =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');

const inLine = (id: string, more: { sequence?: number } = {}) => `
  <Ad id="${id}"${attributes(more)}><InLine>
    <AdSystem>test</AdSystem><AdTitle>Ad ${id}</AdTitle>
    <Error>http://t.example/error/${id}?code=[ERRORCODE]</Error>
    <Impression>http://t.example/impression/${id}</Impression>
    <Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles>
      <MediaFile delivery="progressive" type="video/mp4" width="640" height="360">http://c.example/${id}.mp4</MediaFile>
    </MediaFiles></Linear></Creative></Creatives>
  </InLine></Ad>`;

/** @param to a path of the test's server, or a whole URL */
const wrapper = (id: string, to: string, more: Record<string, unknown> = {}, sequence?: number) => `
  <Ad id="${id}"${sequence === undefined ? '' : ` sequence="${sequence}"`}><Wrapper${attributes(more)}>
    <AdSystem>test</AdSystem>
    <VASTAdTagURI><![CDATA[${to.startsWith('/') ? server.url + to : to}]]></VASTAdTagURI>
    <Error>http://t.example/error/${id}?code=[ERRORCODE]</Error>
    <Impression>http://t.example/impression/${id}</Impression>
  </Wrapper></Ad>`;

/** From now on the server answers with this document at the path. */
function serve(path: string, document: string, after = 0): void {
  server.on(path, (response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/xml' }).end(document), after);
  });
}

const idsOf = (answer: AdAnswer) => answer.ads.map(({ ad, sequence }) => (sequence ? `${sequence}:${ad.id}` : ad.id));
const lostOf = (answer: AdAnswer) => answer.dropped.map(({ id, skip }) => `${id} ${skip.code}`);
const toldOf = (answer: AdAnswer) =>
  answer.errors.map(({ url, code }) => `${/error\/(\w+)/.exec(url)?.[1]} ${code}`).sort();

describe('asking for ads', () => {
  it('returns the ads of an answer with what was asked and what came', async () => {
    const document = vast(inLine('a'), inLine('b'));
    serve('/vast', document);
    const answer = await ask('/vast?genre=[PLAYER.genre]&key=secret');
    expect(idsOf(answer)).toEqual(['a', 'b']);
    expect(answer).toMatchObject({
      request: { url: `${server.url}/vast?genre=sport&key=***`, status: 200 },
      response: { version: '4.2', bytes: document.length, raw: document },
      dropped: [],
      errors: [],
    });
    expect(answer).not.toHaveProperty('reason');
    expect(server.seen[0]).toMatchObject({
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
    const answer = await ask(path, { timeoutMs: text.includes('300') ? 300 : 5_000 });
    expect(performance.now() - started).toBeLessThan(4_000);
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
    const source = { url: 'http://10.0.0.1/?token=secret' };
    const answer = await askAds({ source, session, asked }, createHttpAdServer(guard), now);
    expect(answer.reason?.text).toContain('not public (private)');
    expect(JSON.stringify(answer)).not.toContain('secret');
  });
});

describe('wrappers', () => {
  it('are followed on behalf of the viewer, and their tracking is merged', async () => {
    serve('/outer', vast(wrapper('w1', '/inner?cb=[CACHEBUSTING]&ip=[DEVICEIP]')));
    serve('/inner', vast(wrapper('w2', '/ads')));
    serve('/ads', vast(inLine('a')));
    const answer = await ask('/outer', { headers: { 'x-api-key': 'operator' } });
    expect(idsOf(answer)).toEqual(['a']);
    expect(answer.ads[0]?.ad.impressions.map(({ url }) => url).sort()).toEqual(
      ['a', 'w1', 'w2'].map((id) => `http://t.example/impression/${id}`),
    );
    expect(answer.ads[0]?.ad.errorUrls.length).toBe(3);
    const inner = server.seen.find(({ path }) => path.startsWith('/inner'));
    expect(inner?.path).toMatch(/^\/inner\?cb=\d{8}&ip=203\.0\.113\.7$/);
    expect(inner?.headers).toMatchObject({ 'x-device-ip': '203.0.113.7' });
    expect(inner?.headers).not.toHaveProperty('x-api-key');
  });

  it('may be five in a row and not six', async () => {
    for (let depth = 1; depth <= 6; depth += 1) serve(`/d${depth}`, vast(wrapper(`w${depth}`, `/d${depth + 1}`)));
    serve('/d7', vast(inLine('a')));
    expect(idsOf(await ask('/d2'))).toEqual(['a']);
    const answer = await ask('/d1');
    expect(lostOf(answer)).toEqual(['w6 WRAPPER_LIMIT']);
    expect(toldOf(answer)).toEqual([1, 2, 3, 4, 5, 6].map((depth) => `w${depth} 302`));
    expect(answer.reason).toEqual({
      code: 'NO_AD_SHOWN',
      text: 'The only ad that came back was lost: It lies behind more than 5 wrappers.',
    });
  });

  it('that lead back are seen', async () => {
    serve('/a', vast(wrapper('w1', '/b?cb=[CACHEBUSTING]')));
    serve('/b', vast(wrapper('w2', '/b?cb=[CACHEBUSTING]')));
    expect(lostOf(await ask('/a'))).toEqual(['w2 WRAPPER_LOOP']);
  });

  it('that branch without end are cut off', async () => {
    serve(
      '/many',
      vast(
        ...Array.from({ length: 20 }, (_, index) => wrapper(`w${index}`, `/more?${index}`, { allowMultipleAds: true })),
      ),
    );
    serve(
      '/more',
      vast(
        ...Array.from({ length: 20 }, (_, index) => wrapper(`v${index}`, `/even?${index}`, { allowMultipleAds: true })),
      ),
    );
    serve('/even', vast(inLine('a')));
    const answer = await ask('/many');
    expect(server.seen.length).toBe(31);
    expect(answer.ads.length).toBe(10);
    expect(new Set(answer.dropped.map(({ skip }) => skip.code))).toEqual(new Set(['WRAPPER_LIMIT']));
  });

  it('that fail cost their own ad only, and their Error URLs hear why', async () => {
    serve(
      '/vast',
      vast(
        wrapper('slow', '/never', {}, 1),
        wrapper('down', '/reset', {}, 2),
        wrapper('html', '/html', {}, 3),
        wrapper('empty', '/no', {}, 4),
        wrapper('private', 'http://192.168.0.1/', {}, 5),
        inLine('a', { sequence: 6 }),
      ),
    );
    serve('/no', '<VAST version="4.0"><Error>http://t.example/error/inner?code=[ERRORCODE]</Error></VAST>');
    const started = performance.now();
    const answer = await ask('/vast', { timeoutMs: 400 });
    expect(performance.now() - started).toBeLessThan(800);
    expect(idsOf(answer)).toEqual(['1:a']);
    expect(lostOf(answer)).toEqual([
      'slow WRAPPER_TIMEOUT',
      'down WRAPPER_FAILED',
      'html VAST_UNREADABLE',
      'empty WRAPPER_EMPTY',
      'private WRAPPER_FAILED',
    ]);
    expect(answer.dropped[1]?.skip.text).toBe('The server that its wrapper names reset the connection.');
    expect(toldOf(answer)).toEqual(
      ['down 301', 'empty 303', 'html 100', 'inner 303', 'private 301', 'slow 301'].sort(),
    );
  });

  it('share one deadline, and what is there when it passes is used', async () => {
    serve('/vast', vast(inLine('a'), wrapper('w1', '/slow1')), 100);
    serve('/slow1', vast(wrapper('w2', '/slow2')), 200);
    serve('/slow2', vast(inLine('b')), 200);
    const started = performance.now();
    const answer = await ask('/vast', { timeoutMs: 400 });
    expect(performance.now() - started).toBeLessThan(700);
    expect(idsOf(answer)).toEqual(['a']);
    expect(lostOf(answer)).toEqual(['w2 WRAPPER_TIMEOUT']);
  });

  it('bring one ad unless they allow more', async () => {
    serve('/pod', vast(inLine('p2', { sequence: 2 }), inLine('p1', { sequence: 1 }), inLine('x'), inLine('y')));
    serve('/one', vast(wrapper('w', '/pod')));
    serve('/all', vast(wrapper('w', '/pod', { allowMultipleAds: 'true' })));
    const one = await ask('/one');
    expect(idsOf(one)).toEqual(['x']);
    expect(lostOf(one).sort()).toEqual(['p1', 'p2', 'y'].map((id) => `${id} WRAPPER_FORBIDS`));
    expect(one.errors).toEqual([]);
    expect(idsOf(await ask('/all'))).toEqual(['1:p1', '2:p2', 'x', 'y']);
  });

  it('put the ads behind them into their own place of the pod', async () => {
    serve('/inner', vast(inLine('m2', { sequence: 2 }), inLine('m1', { sequence: 1 })));
    const many = { allowMultipleAds: 1 };
    serve(
      '/vast',
      vast(inLine('last', { sequence: 9 }), wrapper('w', '/inner', many, 2), inLine('first', { sequence: 1 })),
    );
    expect(idsOf(await ask('/vast'))).toEqual(['1:first', '2:m1', '3:m2', '4:last']);
  });

  it('do not make a second pod beside the first', async () => {
    serve('/inner', vast(inLine('i1', { sequence: 1 })));
    serve('/vast', vast(wrapper('w', '/inner'), inLine('p', { sequence: 1 })));
    expect(idsOf(await ask('/vast'))).toEqual(['1:p', 'i1']);
  });

  it('that allow no other wrapper are obeyed', async () => {
    serve('/vast', vast(wrapper('w1', '/inner', { followAdditionalWrappers: 'false' })));
    serve('/inner', vast(wrapper('w2', '/ads')));
    serve('/ads', vast(inLine('a')));
    const answer = await ask('/vast');
    expect(lostOf(answer)).toEqual(['w2 WRAPPER_FORBIDS']);
    expect(server.seen.some(({ path }) => path === '/ads')).toBe(false);
  });

  it('that block a category get no ad of it', async () => {
    const blocking = wrapper('w', '/ads', { allowMultipleAds: 1 }).replace(
      '<Impression>',
      '<BlockedAdCategories authority="iab.example">IAB7,IAB8</BlockedAdCategories><Impression>',
    );
    const ofCategory = (id: string, category: string) =>
      inLine(id).replace('<Impression>', `<Category authority="iab.example">${category}</Category><Impression>`);
    serve('/vast', vast(blocking));
    serve('/ads', vast(ofCategory('a', 'IAB8'), ofCategory('b', 'IAB9')));
    const answer = await ask('/vast');
    expect(idsOf(answer)).toEqual(['b']);
    expect(lostOf(answer)).toEqual(['a CATEGORY_BLOCKED']);
    expect(toldOf(answer)).toEqual(['a 205', 'w 205']);
  });

  it('say whether a stand-alone ad may take their place', async () => {
    serve('/no', vast());
    const answered = (fallbackOnNoAd?: boolean) => {
      serve('/vast', vast(wrapper('w', '/no', fallbackOnNoAd === undefined ? {} : { fallbackOnNoAd }, 1), inLine('x')));
      return ask('/vast');
    };
    expect(idsOf(await answered(true))).toEqual(['x']);
    expect(idsOf(await answered())).toEqual(['x']);
    const forbidden = await answered(false);
    expect(lostOf(forbidden)).toEqual(['w WRAPPER_EMPTY', 'x FALLBACK_FORBIDDEN']);
  });
});

describe('VMAP', () => {
  const adBreak = (source: string, more = '') =>
    `<vmap:AdBreak timeOffset="start" breakType="linear"${more}><vmap:AdSource allowMultipleAds="true">${source}</vmap:AdSource></vmap:AdBreak>`;
  const vmap = (...breaks: string[]) =>
    `<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">${breaks.join('')}</vmap:VMAP>`;

  it('is read for its inline VAST and its ad tags', async () => {
    serve('/tag', vast(inLine('b')));
    const tag = `<vmap:AdTagURI templateType="vast3"><![CDATA[${server.url}/tag?d=[BREAK_DURATION]]]></vmap:AdTagURI>`;
    serve('/vmap', vmap(adBreak(`<vmap:VASTAdData>${vast(inLine('a'))}</vmap:VASTAdData>`), adBreak(tag)));
    expect(idsOf(await ask('/vmap'))).toEqual(['a', 'b']);
    expect(server.seen.at(-1)?.path).toBe('/tag?d=30');
  });

  it('without breaks holds no ad', async () => {
    serve('/vmap', vmap());
    expect((await ask('/vmap')).reason?.code).toBe('NO_ADS');
  });
});

describe('Error URLs', () => {
  it('are told the code, on behalf of the viewer', async () => {
    const url = `${server.url}/error?code=[ERRORCODE]&cb=[CACHEBUSTING]&s=[SESSION_ID]`;
    serve('/vast', `<VAST version="4.2"><Error><![CDATA[${url}]]></Error></VAST>`);
    const { errors } = await ask('/vast');
    tellErrors(errors, { session, asked }, createFireAndForget(guard), now);
    const told = () => server.seen.find(({ path }) => path.startsWith('/error'));
    await expect.poll(told, { timeout: 3_000 }).toBeDefined();
    expect(told()?.path).toMatch(/^\/error\?code=303&cb=\d{8}&s=session-1$/);
    expect(told()?.headers).toMatchObject({ 'x-device-ip': '203.0.113.7', 'user-agent': 'Viewer/1' });
  });

  it('of an ad that cannot be shown are those of its wrappers too', async () => {
    serve('/vast', vast(wrapper('w', '/ads')));
    serve('/ads', vast(inLine('a')));
    const { ad } = (await ask('/vast')).ads[0]!;
    const codes = (code: 'CREATIVE_PREPARING' | 'MAX_ADS_REACHED') =>
      errorsOf(ad, { code, text: '' }).map((one) => one.code);
    expect(codes('CREATIVE_PREPARING')).toEqual([407, 407]);
    expect(codes('MAX_ADS_REACHED')).toEqual([]);
  });
});
