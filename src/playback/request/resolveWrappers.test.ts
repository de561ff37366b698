// SPDX-License-Identifier: Apache-2.0
// Ads behind wrappers: what is followed, merged, limited and dropped.
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { droppedOf, errorsOf, idsOf, inLine, useTestAdServer, vast } from '../../../test/testAdServer.ts';

const { request, elapsed, serve, server, wrapper } = useTestAdServer();

describe('wrappers', () => {
  it('are requested with the headers of the viewer, and their tracking is merged', async () => {
    serve('/outer', vast(wrapper('w1', '/inner?cb=[CACHEBUSTING]&ip=[DEVICEIP]')));
    serve('/inner', vast(wrapper('w2', '/ads')));
    serve('/ads', vast(inLine('a')));
    const outcome = await request('/outer', { headers: { 'x-api-key': 'operator' } });
    expect(idsOf(outcome)).toEqual(['a']);
    expect(outcome.ads[0]?.ad.impressions.map(({ url }) => url).sort()).toEqual(
      ['a', 'w1', 'w2'].map((id) => `http://t.example/impression/${id}`),
    );
    expect(outcome.ads[0]?.ad.errorUrls.length).toBe(3);
    const inner = server().seen.find(({ path }) => path.startsWith('/inner'));
    expect(inner?.path).toMatch(/^\/inner\?cb=\d{8}&ip=203\.0\.113\.7$/);
    expect(inner?.headers).toMatchObject({ 'x-device-ip': '203.0.113.7' });
    expect(inner?.headers).not.toHaveProperty('x-api-key');
  });

  it('and their responses may contain URLs relative to their own URL after redirects', async () => {
    const redirect = (path: string, location: string) =>
      server().on(path, (response) => void response.writeHead(302, { location }).end());
    redirect('/start', '/outer/vast.xml');
    redirect('/outer/next', '/inner/deep/vast.xml?x=/y/');
    serve('/outer/vast.xml', vast(wrapper('w', 'next').replace('http://t.example/impression/w', '/impression/w')));
    const relative = inLine('a')
      .replace('http://t.example/impression/a', './impression?[CACHEBUSTING]')
      .replace('http://t.example/error/a', '?error')
      .replace('http://c.example/a.mp4', '../media/a.mp4');
    serve('/inner/deep/vast.xml', vast(relative));
    const outcome = await request('/start');
    expect(droppedOf(outcome)).toEqual([]);
    const { ad } = outcome.ads[0]!;
    const { url } = server();
    expect(ad.impressions.map((one) => one.url)).toEqual([
      `${url}/outer/impression/w`.replace('/outer', ''),
      `${url}/inner/deep/impression?[CACHEBUSTING]`,
    ]);
    expect(ad.errorUrls[1]).toBe(`${url}/inner/deep/vast.xml?error?code=[ERRORCODE]`);
    expect(ad.creatives[0]!.linear!.mediaFiles.map((one) => one.url)).toEqual([`${url}/inner/media/a.mp4`]);
  });

  it('with a malformed tag URL are dropped with that URL in the reason', async () => {
    serve('/vast', vast(wrapper('w', '[TAG]')));
    const outcome = await request('/vast');
    expect(droppedOf(outcome)).toEqual(['w WRAPPER_FAILED']);
    expect(outcome.dropped[0]!.skip.text).toEqual(naming('"[TAG]"'));
  });

  it('and their responses may be VAST 1', async () => {
    const vast1 = (ad: string) => `<VideoAdServingTemplate>${ad}</VideoAdServingTemplate>`;
    serve(
      '/outer',
      vast1(`<Ad id="w"><Wrapper><Impression><URL>http://t.example/w</URL></Impression>
        <TrackingEvents><Tracking event="start"><URL>http://t.example/w/start</URL></Tracking></TrackingEvents>
        <VASTAdTagURL><URL>/inner</URL></VASTAdTagURL></Wrapper></Ad>`),
    );
    serve(
      '/inner',
      vast1(`<Ad id="a"><InLine><AdTitle>A</AdTitle><Impression><URL>http://t.example/a</URL></Impression><Video>
        <Duration>00:00:15</Duration><MediaFiles><MediaFile type="video/mp4"><URL>a.mp4</URL></MediaFile></MediaFiles>
        </Video></InLine></Ad>`),
    );
    const outcome = await request('/outer');
    expect(idsOf(outcome)).toEqual(['a']);
    expect(outcome.response?.version).toBe('1.0');
    const { ad } = outcome.ads[0]!;
    expect(ad.impressions.map(({ url }) => url)).toEqual(['http://t.example/w', 'http://t.example/a']);
    const { mediaFiles, trackingEvents } = ad.creatives[0]!.linear!;
    expect(mediaFiles.map(({ url }) => url)).toEqual([`${server().url}/a.mp4`]);
    expect(trackingEvents).toEqual([{ event: 'start', url: 'http://t.example/w/start' }]);
  });

  it('may be nested five deep but not six', async () => {
    for (let depth = 1; depth <= 6; depth += 1) serve(`/d${depth}`, vast(wrapper(`w${depth}`, `/d${depth + 1}`)));
    serve('/d7', vast(inLine('a')));
    expect(idsOf(await request('/d2'))).toEqual(['a']);
    const outcome = await request('/d1');
    expect(droppedOf(outcome)).toEqual(['w6 WRAPPER_LIMIT']);
    expect(errorsOf(outcome)).toEqual([1, 2, 3, 4, 5, 6].map((depth) => `w${depth} 302`));
    const text = outcome.dropped[0]!.skip.text;
    expect(text).toEqual(naming(5));
    expect(outcome.reason).toEqual({ code: 'NO_AD_SHOWN', text: naming(text) });
  });

  it('that lead back to a requested URL are dropped', async () => {
    serve('/a', vast(wrapper('w1', '/b?cb=[CACHEBUSTING]')));
    serve('/b', vast(wrapper('w2', '/b?cb=[CACHEBUSTING]')));
    expect(droppedOf(await request('/a'))).toEqual(['w2 WRAPPER_LOOP']);
  });

  it('that branch without end are limited', async () => {
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
    const outcome = await request('/many');
    expect(server().seen.length).toBe(31);
    expect(outcome.ads.length).toBe(10);
    expect(new Set(outcome.dropped.map(({ skip }) => skip.code))).toEqual(new Set(['WRAPPER_LIMIT']));
  });

  it('have responses of limited size, each and in total', async () => {
    const long = (bytes: number) => vast(inLine('a'), `<!--${'x'.repeat(bytes)}-->`);
    serve('/tooLong', long(600_000));
    serve('/long', long(400_000));
    const wrappers = Array.from({ length: 12 }, (_, index) => wrapper(`w${index}`, `/long?${index}`));
    serve('/vast', vast(wrapper('w', '/tooLong', {}, 1), ...wrappers));
    const outcome = await request('/vast');
    expect(outcome.dropped[0]).toMatchObject({ id: 'w', skip: { code: 'WRAPPER_FAILED', text: naming(524_288) } });
    // Ten times 400,000 bytes are less than 4 MiB.
    expect(outcome.ads.length).toBe(10);
    expect(droppedOf(outcome).filter((one) => one.endsWith('WRAPPER_LIMIT'))).toHaveLength(2);
  });

  it('share one limit of tracking URLs per event with their ad; the outermost are kept first', async () => {
    const impressions = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => `<Impression>http://t.example/${name}/${index}</Impression>`).join(
        '',
      );
    serve('/vast', vast(wrapper('w', '/ads').replace('<Impression>', `${impressions('outer', 80)}<Impression>`)));
    serve('/ads', vast(inLine('a').replace('<Impression>', `${impressions('inner', 80)}<Impression>`)));
    const { ads, warnings } = await request('/vast');
    const names = ads[0]!.ad.impressions.map(({ url }) => url.split('/')[3]);
    expect([names.length, names.filter((name) => name === 'outer').length]).toEqual([100, 80]);
    expect(warnings).toEqual([naming('"a"', 162, 100)]);
  });

  it('that fail lose only their own ad, and their Error URLs are called', async () => {
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
    const started = elapsed();
    const outcome = await request('/vast', { timeoutMs: 2_000 });
    expect(elapsed() - started).toBe(2_000);
    expect(idsOf(outcome)).toEqual(['1:a']);
    expect(droppedOf(outcome)).toEqual([
      'slow WRAPPER_TIMEOUT',
      'down WRAPPER_FAILED',
      'html VAST_UNREADABLE',
      'empty WRAPPER_EMPTY',
      'private WRAPPER_FAILED',
    ]);
    const [, down, , , notPublic] = outcome.dropped.map(({ skip }) => skip.text);
    expect(notPublic).toEqual(naming('private'));
    expect(down).not.toEqual(naming('private'));
    expect(errorsOf(outcome)).toEqual(
      ['down 301', 'empty 303', 'html 100', 'inner 303', 'private 301', 'slow 301'].sort(),
    );
  });

  it('share one deadline; ads that arrived before it are used', async () => {
    serve('/vast', vast(inLine('a'), wrapper('w1', '/slow1')), 500);
    serve('/slow1', vast(wrapper('w2', '/slow2')), 500);
    // In time for a deadline of its own, too late for the common one.
    serve('/slow2', vast(inLine('b')), 1_500);
    const outcome = await request('/vast', { timeoutMs: 2_000 });
    expect(idsOf(outcome)).toEqual(['a']);
    expect(droppedOf(outcome)).toEqual(['w2 WRAPPER_TIMEOUT']);
  });

  it('contribute one ad unless they allow more', async () => {
    serve('/pod', vast(inLine('p2', { sequence: 2 }), inLine('p1', { sequence: 1 }), inLine('x'), inLine('y')));
    serve('/one', vast(wrapper('w', '/pod')));
    serve('/all', vast(wrapper('w', '/pod', { allowMultipleAds: 'true' })));
    const one = await request('/one');
    expect(idsOf(one)).toEqual(['x']);
    expect(droppedOf(one).sort()).toEqual(['p1', 'p2', 'y'].map((id) => `${id} WRAPPER_FORBIDS`));
    expect(one.errors).toEqual([]);
    expect(idsOf(await request('/all'))).toEqual(['1:p1', '2:p2', 'x', 'y']);
  });

  it('put the ads behind them in their own place in the pod', async () => {
    serve('/inner', vast(inLine('m2', { sequence: 2 }), inLine('m1', { sequence: 1 })));
    const many = { allowMultipleAds: 1 };
    serve(
      '/vast',
      vast(inLine('last', { sequence: 9 }), wrapper('w', '/inner', many, 2), inLine('first', { sequence: 1 })),
    );
    expect(idsOf(await request('/vast'))).toEqual(['1:first', '2:m1', '3:m2', '4:last']);
  });

  it('do not add a second pod', async () => {
    serve('/inner', vast(inLine('i1', { sequence: 1 })));
    serve('/vast', vast(wrapper('w', '/inner'), inLine('p', { sequence: 1 })));
    expect(idsOf(await request('/vast'))).toEqual(['1:p', 'i1']);
  });

  it('that forbid further wrappers are obeyed', async () => {
    serve('/vast', vast(wrapper('w1', '/inner', { followAdditionalWrappers: 'false' })));
    serve('/inner', vast(wrapper('w2', '/ads')));
    serve('/ads', vast(inLine('a')));
    const outcome = await request('/vast');
    expect(droppedOf(outcome)).toEqual(['w2 WRAPPER_FORBIDS']);
    expect(server().seen.some(({ path }) => path === '/ads')).toBe(false);
  });

  it('that block a category drop its ads', async () => {
    const blocking = wrapper('w', '/ads', { allowMultipleAds: 1 }).replace(
      '<Impression>',
      '<BlockedAdCategories authority="iab.example">IAB7,IAB8</BlockedAdCategories><Impression>',
    );
    const ofCategory = (id: string, category: string) =>
      inLine(id).replace('<Impression>', `<Category authority="iab.example">${category}</Category><Impression>`);
    serve('/vast', vast(blocking));
    serve('/ads', vast(ofCategory('a', 'IAB8'), ofCategory('b', 'IAB9')));
    const outcome = await request('/vast');
    expect(idsOf(outcome)).toEqual(['b']);
    expect(droppedOf(outcome)).toEqual(['a CATEGORY_BLOCKED']);
    expect(errorsOf(outcome)).toEqual(['a 205', 'w 205']);
  });

  it('state whether a stand-alone ad may replace them', async () => {
    serve('/no', vast());
    const outcomeWith = (fallbackOnNoAd?: boolean) => {
      serve('/vast', vast(wrapper('w', '/no', fallbackOnNoAd === undefined ? {} : { fallbackOnNoAd }, 1), inLine('x')));
      return request('/vast');
    };
    expect(idsOf(await outcomeWith(true))).toEqual(['x']);
    expect(idsOf(await outcomeWith())).toEqual(['x']);
    const forbidden = await outcomeWith(false);
    expect(droppedOf(forbidden)).toEqual(['w WRAPPER_EMPTY', 'x FALLBACK_FORBIDDEN']);
  });
});
