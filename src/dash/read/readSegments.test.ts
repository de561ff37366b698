// SPDX-License-Identifier: Apache-2.0

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { document, oneVideo, only, read, refusal } from '../../../test/dash/staticMpds.ts';
import { naming } from '../../../test/naming.ts';
import { packUrls, segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import type { IndexedSegments, ListedSegments, MpdRepresentation } from '../mpd.ts';
import { cutUrls, shownInPeriod } from './readSegments.ts';
import type { PeriodEdges } from './segmentBorders.ts';

function listed({ segments }: MpdRepresentation): ListedSegments {
  if (segments.kind !== 'listed') throw new Error('not listed');
  return segments;
}
/** @param duration of the presentation; unknown if it is empty */
const segmentsOf = (segments: string, duration = '') =>
  listed(only(document(duration && `mediaPresentationDuration="${duration}"`, oneVideo(segments))));
const urlsOf = ({ urls, borders, count }: ListedSegments): string[] =>
  Array.from({ length: count }, (_, index) =>
    segmentUrl({ borders, urls }, index).url.replace('https://o.example/', '/'),
  );

describe('SegmentTemplate with @duration', () => {
  const template =
    '<SegmentTemplate media="$Number$.m4s" initialization="i.mp4" timescale="10" duration="20" startNumber="0"/>';

  it('counts segments up to the end of the Period; the last one is shorter', () => {
    const segments = segmentsOf(template, 'PT7S');
    expect([...segments.borders]).toEqual([0, 20, 40, 60, 70]);
    expect(urlsOf(segments)).toEqual(['/vod/asset/0.m4s', '/vod/asset/1.m4s', '/vod/asset/2.m4s', '/vod/asset/3.m4s']);
    expect(segments.init).toEqual({ url: 'https://o.example/vod/asset/i.mp4' });
  });

  it('ignores a remainder that results from a rounded duration', () => {
    const counts = ['PT6S', 'PT6.001S', 'PT5.999S', 'PT6.04S'].map((duration) => segmentsOf(template, duration).count);
    expect(counts).toEqual([3, 3, 3, 4]);
  });

  it('ends at @endNumber or with the Period, whichever comes first', () => {
    const ended = (end: number) => template.replace('startNumber', `endNumber="${end}" startNumber`);
    expect(segmentsOf(ended(2), 'PT7S').count).toBe(3);
    expect(segmentsOf(ended(99), 'PT7S').count).toBe(4);
    expect([...segmentsOf(ended(1)).borders]).toEqual([0, 20, 40]);
  });

  it('ends at @endNumber where a SegmentTimeline lists more', () => {
    const timed = template
      .replace('duration="20"', 'endNumber="2"')
      .replace('/>', '><SegmentTimeline><S t="0" d="20" r="9"/></SegmentTimeline></SegmentTemplate>');
    const segments = segmentsOf(timed);
    expect([...segments.borders]).toEqual([0, 20, 40, 60]);
    expect(segments.count).toBe(3);
  });

  it('starts at the media time of presentationTimeOffset and eptDelta', () => {
    const moved = template.replace('startNumber', 'presentationTimeOffset="1000" eptDelta="-5" startNumber');
    const segments = segmentsOf(moved, 'PT4S');
    expect([...segments.borders]).toEqual([995, 1015, 1035, 1040]);
    expect(segments.presentationTimeOffset).toBe(1000);
  });

  it('has a timescale of 1 by default', () => {
    const segments = segmentsOf('<SegmentTemplate media="$Time$" duration="2"/>', 'PT5S');
    expect(segments).toMatchObject({ timescale: 1, count: 3, presentationTimeOffset: 0 });
    expect(urlsOf(segments)).toEqual(['/vod/asset/0', '/vod/asset/2', '/vod/asset/4']);
  });
});

describe('SegmentTemplate with SegmentTimeline', () => {
  const timeline = '<SegmentTimeline><S t="100" d="50" r="3"/></SegmentTimeline>';
  const template = (attributes: string) =>
    `<SegmentTemplate timescale="10" ${attributes}>${timeline}</SegmentTemplate>`;

  it('uses the borders for $Time$', () => {
    const segments = segmentsOf(template('media="$RepresentationID$-$Time$.m4s"'));
    expect(segments.urls).toEqual({ kind: 'time', prefix: 'https://o.example/vod/asset/v-', suffix: '.m4s', width: 1 });
    expect([...segments.borders]).toEqual([100, 150, 200, 250, 300]);
  });

  it('returns the segments within the Period', () => {
    const cut = template('media="$Number$.m4s" presentationTimeOffset="160" startNumber="5"');
    const segments = segmentsOf(cut, 'PT9S');
    expect([...segments.borders]).toEqual([150, 200, 250]);
    expect(urlsOf(segments)).toEqual(['/vod/asset/6.m4s', '/vod/asset/7.m4s']);
  });

  it('returns all segments with a warning when none is within the Period', () => {
    const mpd = read(document('mediaPresentationDuration="PT1S"', oneVideo(template('media="$Number$.m4s"'))));
    expect(listed(mpd.periods[0]!.representations[0]!).count).toBe(4);
    expect(mpd.warnings[0]).toContain('Representation "v" of Period 1');
  });

  it('shares one timeline among Representations', () => {
    const set = `<Period><AdaptationSet mimeType="video/mp4">${template('media="$RepresentationID$/$Time$"')}<Representation id="a"/><Representation id="b"/></AdaptationSet></Period>`;
    const [a, b] = read(document('mediaPresentationDuration="PT1H"', set)).periods[0]!.representations.map(listed);
    expect(a!.borders).toBe(b!.borders);
    expect(urlsOf(b!)[0]).toBe('/vod/asset/b/100');
  });

  it('warns of a gap once for all Representations', () => {
    const gap = `<Period><AdaptationSet mimeType="video/mp4"><SegmentTemplate media="$RepresentationID$$Time$"><SegmentTimeline><S t="0" d="2"/><S t="5" d="2"/></SegmentTimeline></SegmentTemplate><Representation id="a"/><Representation id="b"/></AdaptationSet></Period>`;
    expect(read(document('mediaPresentationDuration="PT1H"', gap)).warnings).toEqual([
      naming(3, 'Representation "a" of Period 1', '3.000'),
    ]);
  });
});

describe('SegmentList', () => {
  it('lists URLs and its own Initialization', () => {
    const list =
      '<SegmentList timescale="10" duration="30"><Initialization sourceURL="i.mp4" range="0-99"/><SegmentURL media="a.mp4"/><SegmentURL media="/b.mp4"/></SegmentList>';
    const segments = segmentsOf(list, 'PT5S');
    expect(urlsOf(segments)).toEqual(['/vod/asset/a.mp4', '/b.mp4']);
    expect([...segments.borders]).toEqual([0, 30, 50]);
    expect(segments.init).toEqual({ url: 'https://o.example/vod/asset/i.mp4', range: { start: 0, length: 100 } });
  });

  it('lists ranges of the BaseURL resource within the Period', () => {
    const list =
      '<BaseURL>f.mp4</BaseURL><SegmentList presentationTimeOffset="2"><Initialization range="0-9"/><SegmentTimeline><S d="2" r="2"/></SegmentTimeline><SegmentURL mediaRange="10-19"/><SegmentURL mediaRange="20-49"/><SegmentURL mediaRange="50-50"/></SegmentList>';
    const segments = segmentsOf(list);
    expect(segments.urls).toEqual({
      kind: 'ranges',
      url: 'https://o.example/vod/asset/f.mp4',
      starts: Float64Array.of(20, 50),
      lengths: Float64Array.of(30, 1),
    });
    expect(segments.init?.range).toEqual({ start: 0, length: 10 });
  });

  it('lists ranges of several resources within the Period', () => {
    const list =
      '<SegmentList presentationTimeOffset="2"><SegmentTimeline><S d="2" r="2"/></SegmentTimeline><SegmentURL media="a" mediaRange="10-19"/><SegmentURL media="a" mediaRange="20-49"/><SegmentURL media="b"/></SegmentList>';
    const segments = segmentsOf(list);
    expect([0, 1].map((index) => segmentUrl(segments, index))).toEqual([
      { url: 'https://o.example/vod/asset/a', range: { start: 20, length: 30 } },
      { url: 'https://o.example/vod/asset/b' },
    ]);
    const invalid = refusal(document('', oneVideo(list.replace('20-49', '49-20'))));
    expect(invalid).toMatchObject({ code: 'ATTRIBUTE', attribute: 'SegmentURL@mediaRange' });
  });

  it('inherits @duration; without one it is a single segment', () => {
    const set =
      '<Period><AdaptationSet mimeType="video/mp4"><SegmentList duration="2"/><Representation id="v"><SegmentList><SegmentURL media="1"/><SegmentURL media="2"/></SegmentList></Representation></AdaptationSet></Period>';
    expect([...listed(only(document('', set))).borders]).toEqual([0, 2, 4]);
    const one = oneVideo('<SegmentList timescale="1000"><SegmentURL media="1"/></SegmentList>');
    expect([...listed(only(document('mediaPresentationDuration="PT9.5S"', one))).borders]).toEqual([0, 9500]);
  });
});

describe('SegmentBase and BaseURL', () => {
  const indexed = (text: string): IndexedSegments => only(text).segments as IndexedSegments;

  it('returns the ranges of the index and the initialization', () => {
    const base =
      '<BaseURL>v.mp4</BaseURL><SegmentBase timescale="90000" presentationTimeOffset="45" indexRange="800-999"><Initialization range="0-799"/></SegmentBase>';
    expect(indexed(document('', oneVideo(base)))).toEqual({
      kind: 'indexed',
      url: 'https://o.example/vod/asset/v.mp4',
      init: { url: 'https://o.example/vod/asset/v.mp4', range: { start: 0, length: 800 } },
      indexRange: { start: 800, length: 200 },
      timescale: 90_000,
      presentationTimeOffset: 45,
    });
  });

  it('resolves the first BaseURL of every level', () => {
    const text = document(
      '',
      '<BaseURL>https://cdn.example/</BaseURL><BaseURL>https://other.example/</BaseURL>',
      '<Period><BaseURL> p/ </BaseURL><AdaptationSet mimeType="audio/mp4" lang="sv"><BaseURL>a/</BaseURL><Representation id="1"><BaseURL>x.mp4</BaseURL></Representation></AdaptationSet></Period>',
    );
    expect(indexed(text)).toMatchObject({ kind: 'indexed', url: 'https://cdn.example/p/a/x.mp4' });
  });

  it('treats a WebVTT file as one segment', () => {
    const text = document(
      'mediaPresentationDuration="PT9S"',
      '<Period><AdaptationSet mimeType="text/vtt" lang="de"><Representation id="t"><BaseURL>t.vtt</BaseURL></Representation></AdaptationSet></Period>',
    );
    expect(only(text)).toMatchObject({ kind: 'text', container: 'vtt', language: 'de' });
    expect(urlsOf(listed(only(text)))).toEqual(['/vod/asset/t.vtt']);
    expect([...listed(only(text)).borders]).toEqual([0, 9]);
  });
});

describe('inheritance', () => {
  it('uses template attributes of the lowest level that has them', () => {
    const text = document(
      'mediaPresentationDuration="PT4S"',
      '<Period><SegmentTemplate timescale="10" startNumber="7" media="p$Number$"/><AdaptationSet mimeType="video/mp4"><SegmentTemplate duration="20" media="a$Number$"/><Representation id="v"><SegmentTemplate initialization="$RepresentationID$.mp4"/></Representation></AdaptationSet></Period>',
    );
    const segments = listed(only(text));
    expect(urlsOf(segments)).toEqual(['/vod/asset/a7', '/vod/asset/a8']);
    expect(segments.init?.url).toBe('https://o.example/vod/asset/v.mp4');
  });

  it('lets @duration below override a SegmentTimeline above', () => {
    const text = document(
      'mediaPresentationDuration="PT4S"',
      '<Period><AdaptationSet mimeType="video/mp4"><SegmentTemplate media="$Number$"><SegmentTimeline><S d="1"/></SegmentTimeline></SegmentTemplate><Representation id="v"><SegmentTemplate duration="2"/></Representation></AdaptationSet></Period>',
    );
    expect([...listed(only(text)).borders]).toEqual([0, 2, 4]);
  });
});

const alone = { isFirst: true, isLast: true };
const borders: Float64Array = Float64Array.of(0, 10, 20, 30, 40);

/** What is shown of four segments of 10 s, and the seconds that warnings name. */
function shown(offset: number, span: number | undefined, edges: PeriodEdges = alone, times = borders) {
  const seconds: string[] = [];
  const { first, end } = shownInPeriod(times, { offset, span, timescale: 1, edges }, (text) => {
    seconds.push(...(text.match(/[\d.]+(?= s )|all/g) ?? []));
  });
  return { first, end, seconds };
}

describe('shownInPeriod', () => {
  const late = borders.map((border) => border + 12);
  it.each<[string, Float64Array, number, number | undefined, number, number, string[]]>([
    ['a Period of the same length', borders, 0, 40, 0, 4, []],
    ['a Period of unknown length', borders, 0, undefined, 0, 4, []],
    ['a Period that the outer segments overlap', borders, 9, 22, 0, 4, []],
    ['a Period that they hardly overlap', borders, 9.95, 20.1, 1, 3, ['10.000', '10.000']],
    ['a Period that is too short', borders, 0, 20, 0, 2, ['20.000']],
    ['a Period after all segments', borders, 50, 10, 0, 4, ['all']],
    ['a Period in which a recording would fit', late, 0, 40, 0, 4, ['12.000', 'all']],
    ['a Period in which it would not fit', late, 0, 30, 0, 2, ['20.000']],
    ['a Period with a stated offset', late, 2, 40, 0, 3, ['10.000']],
  ])('%s', (_, times, offset, span, first, end, seconds) => {
    expect(shown(offset, span, alone, times)).toEqual({ first, end, seconds });
  });

  it('assigns each segment to exactly one of the Periods that share a timeline', () => {
    const cut = fc.double({ min: 6, max: 34, noNaN: true });
    fc.assert(
      fc.property(cut, (at) => {
        const before = shown(0, at, { isFirst: true, isLast: false });
        const after = shown(at, 40 - at, { isFirst: false, isLast: true });
        expect([before.first, before.end, after.end]).toEqual([0, after.first, 4]);
        expect([...before.seconds, ...after.seconds]).toEqual([]);
      }),
    );
  });
});

describe('cutUrls', () => {
  it('returns the URLs of the selected segments', () => {
    const all = ['a', 'b', 'c', 'd'].map((name) => `https://x/${name}.m4s`);
    const counted = [5, 6, 7, 8].map((number) => `https://x/${number}.m4s`);
    for (const urls of [all, counted]) {
      const cut = cutUrls(packUrls(urls), { first: 1, end: 3 });
      expect([0, 1].map((index) => segmentUrl({ borders, urls: cut }, index).url)).toEqual(urls.slice(1, 3));
    }
  });
});
