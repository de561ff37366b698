// SPDX-License-Identifier: Apache-2.0
// One request for all breaks of a presentation: VMAP, VAST, and every kind of failure.
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { droppedOf, errorsOf, idsOf, inLine, useTestAdServer, vast } from '../../../test/testAdServer.ts';
import { joinBreaks, type PresentationOutcome } from './requestPresentation.ts';

const { requestPresentation, elapsed, serve, server, wrapper } = useTestAdServer();

const vmap = (...breaks: string[]) =>
  `<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">${breaks.join('')}</vmap:VMAP>`;
const adBreak = (offset: string, source: string, more = '') =>
  `<vmap:AdBreak timeOffset="${offset}" breakType="linear" breakId="${offset}"><vmap:AdSource>${source}</vmap:AdSource>${more}</vmap:AdBreak>`;
const inside = (...ads: string[]) => `<vmap:VASTAdData>${vast(...ads)}</vmap:VASTAdData>`;
const tag = (url: string) => `<vmap:AdTagURI><![CDATA[${url}]]></vmap:AdTagURI>`;
const tracking = (name: string) =>
  `<vmap:TrackingEvents><vmap:Tracking event="breakStart">http://t.example/${name}</vmap:Tracking></vmap:TrackingEvents>`;

const found = ({ breaks = [] }: PresentationOutcome) =>
  breaks.map(({ vmap: { id }, outcome }) => [id, ...idsOf(outcome), ...(outcome.reason ? [outcome.reason.code] : [])]);

describe('VMAP', () => {
  it('is returned break by break, each with its own ads, wrappers and tracking', async () => {
    serve('/tag', vast(inLine('b', { sequence: 4 }), inLine('c')));
    const breaks = [
      adBreak('start', inside(inLine('a')), tracking('first')),
      adBreak('50%', tag('./tag?d=[BREAK_DURATION]')),
      adBreak('end', inside(wrapper('w', '/tag', { allowMultipleAds: true }))),
    ];
    serve('/vmap', vmap(...breaks));
    const outcome = await requestPresentation('/vmap?key=secret');
    expect(found(outcome)).toEqual([
      ['start', 'a'],
      ['50%', '1:b', 'c'],
      ['end', '1:b', 'c'],
    ]);
    expect(outcome).toMatchObject({
      request: { url: naming('key=***'), status: 200 },
      response: { version: 'VMAP 1.0', raw: vmap(...breaks) },
      ads: [],
    });
    expect(outcome).not.toHaveProperty('reason');
    const [first, second, third] = outcome.breaks!;
    expect(first!.vmap).toMatchObject({ timeOffset: { kind: 'start' } });
    expect(first!.vmap).not.toHaveProperty('source');
    expect(first!.outcome.ads[0]!.breakTracking).toMatchObject([{ url: 'http://t.example/first' }]);
    expect(first!.outcome).not.toHaveProperty('wrappers');
    expect(second!.outcome.wrappers).toMatchObject([{ url: `${server().url}/tag?d=30`, status: 200 }]);
    expect(third!.outcome.ads[0]!.ad.impressions).toHaveLength(2);
    expect(third!.outcome.variables?.('BREAK_DURATION')).toBe('30');
  });

  it('gives each break that fails its own reason, within one deadline', async () => {
    server().on('/html', (response) => void response.end('<!doctype html><title>Sign in</title>'));
    serve('/none', vast());
    serve('/tag', vast(inLine('b')), 100);
    const escaped = vast(inLine('x')).replaceAll('<', '&lt;');
    serve(
      '/vmap',
      vmap(
        adBreak('start', tag(`${server().url}/never`)),
        adBreak('00:01:00', tag(`${server().url}/html`)),
        adBreak('00:02:00', tag(`${server().url}/none`)),
        adBreak('00:03:00', inside()),
        adBreak('00:04:00', `<vmap:CustomAdData>x</vmap:CustomAdData>`),
        adBreak('00:05:00', `<vmap:VASTAdData>${escaped.replaceAll('&', '&amp;')}</vmap:VASTAdData>`),
        adBreak('00:06:00', inside(inLine('o'))).replace('"linear"', '"nonlinear"'),
        adBreak('00:07:00', tag(`${server().url}/tag`)),
      ),
    );
    const started = elapsed();
    const outcome = await requestPresentation('/vmap', { timeoutMs: 2000 });
    expect(elapsed() - started).toBeLessThanOrEqual(2000);
    expect(found(outcome)).toEqual([
      ['start', 'NO_AD_SHOWN'],
      ['00:01:00', 'NO_AD_SHOWN'],
      ['00:02:00', 'NO_AD_SHOWN'],
      ['00:03:00', 'NO_ADS'],
      ['00:04:00', 'NO_ADS'],
      ['00:05:00', 'NO_AD_SHOWN'],
      ['00:06:00', 'NO_ADS'],
      ['00:07:00', 'b'],
    ]);
    expect(outcome.breaks!.map((one) => droppedOf(one.outcome)[0]?.split(' ')[1])).toEqual([
      ...['WRAPPER_TIMEOUT', 'VAST_UNREADABLE', 'WRAPPER_EMPTY', undefined, undefined, 'VAST_UNREADABLE'],
      ...[undefined, undefined],
    ]);
    expect(outcome).not.toHaveProperty('reason');
  });

  it('may have more ads and ad tags than one break', async () => {
    const [a, b] = ['a', 'b'].map((name) => Array.from({ length: 30 }, (_, index) => inLine(`${name}${index}`)));
    for (let index = 0; index < 40; index += 1) serve(`/tag${index}`, vast(inLine(`t${index}`)));
    const tags = Array.from({ length: 40 }, (_, index) =>
      adBreak(`00:${index + 10}:00`, tag(`${server().url}/tag${index}`)),
    );
    serve('/vmap', vmap(adBreak('start', inside(...a!)), adBreak('end', inside(...b!)), ...tags));
    const { breaks, warnings } = await requestPresentation('/vmap');
    expect(breaks!.map(({ outcome }) => outcome.ads.length)).toEqual([30, 30, ...tags.map(() => 1)]);
    expect(warnings).toEqual([]);
  });

  it('limits the wrappers of one break, and those of the others are still requested', async () => {
    serve('/tag', vast(inLine('b')));
    const many = Array.from({ length: 31 }, (_, index) => wrapper(`w${index}`, `/tag?${index}`));
    serve('/vmap', vmap(adBreak('start', inside(...many)), adBreak('end', tag(`${server().url}/tag`))));
    const [first, second] = (await requestPresentation('/vmap')).breaks!;
    expect([first!.outcome.ads.length, droppedOf(first!.outcome)]).toEqual([30, ['w30 WRAPPER_LIMIT']]);
    expect(idsOf(second!.outcome)).toEqual(['b']);
  });

  it('keeps the complete breaks of a truncated document', async () => {
    const whole = vmap(adBreak('start', inside(inLine('a'))), adBreak('end', inside(inLine('b'))));
    serve('/vmap', whole.slice(0, whole.lastIndexOf('<Creatives>')));
    const outcome = await requestPresentation('/vmap');
    expect(found(outcome)[0]).toEqual(['start', 'a']);
    expect(outcome.breaks!.slice(1).flatMap((one) => idsOf(one.outcome))).toEqual([]);
    expect(outcome.warnings.length).toBeGreaterThan(0);
  });

  it('has a reason if no break has ads', async () => {
    serve('/none', vmap());
    expect(await requestPresentation('/none')).toMatchObject({ breaks: [], reason: { code: 'NO_ADS' } });
    serve('/failing', vmap(adBreak('start', tag(`${server().url}/reset`))));
    expect((await requestPresentation('/failing')).reason).toMatchObject({ code: 'NO_AD_SHOWN' });
  });
});

describe('the reasons of a break', () => {
  it.each(['/no', '/empty', '/html', '/reset', '/vmap'])(
    'do not name a wrapper where there is none: %s',
    async (path) => {
      serve('/no', vast());
      const single = inside(inLine('a').replace('<AdSystem>', '<Odd/><AdSystem>'), inLine('b'));
      const forbidding = adBreak('end', single).replace('<vmap:AdSource>', '<vmap:AdSource allowMultipleAds="false">');
      serve('/vmap', vmap(adBreak('start', tag(`${server().url}${path}`)), forbidding));
      const { breaks, reason } = await requestPresentation('/vmap');
      const [first, second] = breaks!.map(({ outcome }) => outcome);
      const texts = [...first!.dropped, ...second!.dropped].map(({ skip }) => skip.text);
      expect(texts).toHaveLength(2);
      expect([...texts, ...second!.warnings, reason?.text].join(' ')).not.toMatch(/wrapper/i);
      expect(second!.warnings).toEqual([naming('Odd')]);
    },
  );

  it('count only wrappers, not the ad tag before them', async () => {
    for (let depth = 1; depth <= 5; depth += 1) serve(`/d${depth}`, vast(wrapper(`w${depth}`, `/d${depth + 1}`)));
    serve('/d6', vast(inLine('a')));
    serve('/vmap', vmap(adBreak('start', tag(`${server().url}/d1`))));
    const { breaks } = await requestPresentation('/vmap');
    expect(idsOf(breaks![0]!.outcome)).toEqual(['a']);
  });
});

describe('any other response', () => {
  it('that is VAST is returned as one list of ads', async () => {
    serve('/vast', vast(inLine('a'), wrapper('w', '/inner')));
    serve('/inner', vast(inLine('b')));
    const outcome = await requestPresentation('/vast');
    expect(idsOf(outcome)).toEqual(['a', 'b']);
    expect(outcome).toMatchObject({ response: { version: '4.2' }, wrappers: [{ status: 200 }] });
    expect(outcome).not.toHaveProperty('breaks');
  });

  it.each([
    ['/html', 'VAST_UNREADABLE'],
    ['/never', 'AD_SERVER_TIMEOUT'],
    ['/endless', 'AD_SERVER_FAILED'],
    ['/bomb', 'AD_SERVER_FAILED'],
    ['/reset', 'AD_SERVER_FAILED'],
    ['/nothing', 'NO_ADS'],
    ['/empty', 'NO_ADS'],
  ])('%s has a reason: %s', async (path, code) => {
    const outcome = await requestPresentation(path, code === 'AD_SERVER_TIMEOUT' ? { timeoutMs: 300 } : {});
    expect(outcome).toMatchObject({ ads: [], reason: { code } });
    expect(outcome).not.toHaveProperty('breaks');
  });
});

describe('breaks at one position', () => {
  it('are joined in their order, with one pod', async () => {
    const pod = (name: string) => inside(inLine(`${name}2`, { sequence: 2 }), inLine(`${name}1`, { sequence: 1 }));
    serve('/vmap', vmap(adBreak('start', pod('a')), adBreak('start', inside()), adBreak('start', pod('b'))));
    const { breaks } = await requestPresentation('/vmap');
    const outcomes = breaks!.map(({ outcome }) => outcome);
    const joined = joinBreaks(outcomes);
    expect(idsOf(joined)).toEqual(['1:a1', '2:a2', '3:b1', '4:b2']);
    expect(joined).not.toHaveProperty('reason');
    expect(joinBreaks([outcomes[1]!, outcomes[1]!]).reason).toMatchObject({ code: 'NO_ADS' });
  });

  it('keep the Error URLs and dropped ads of all', async () => {
    const lost = (id: string) => inside(wrapper(id, '/reset'));
    serve('/vmap', vmap(adBreak('start', lost('v')), adBreak('start', lost('w'))));
    const { breaks } = await requestPresentation('/vmap');
    const joined = joinBreaks(breaks!.map(({ outcome }) => outcome));
    expect(droppedOf(joined)).toEqual(['v WRAPPER_FAILED', 'w WRAPPER_FAILED']);
    expect(errorsOf(joined)).toEqual(['v 301', 'w 301']);
    expect(joined.reason?.code).toBe('NO_AD_SHOWN');
  });
});
