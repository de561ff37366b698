// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { checkMpd } from '../../../test/laws/schema/checkMpd.ts';
import { clipsFor } from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { fitToEnd } from '../../ads/placement/placeLiveBreak.ts';
import { noMemos } from '../../cache/memo.ts';
import { FLICKS_PER_SECOND, flicks, framesToFlicks, millis } from '../../time/units.ts';
import type { Asset, Rendition, Track } from '../../timeline/asset/asset.ts';
import { type Clip, cutClip } from '../../timeline/asset/clip.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { fitToLadder, ladderOf } from '../../timeline/ladder/ladderOf.ts';
import { place, type Span } from '../../timeline/programme/span.ts';
import { windowAt } from '../../timeline/programme/window.ts';
import { readXml } from '../../xml/read.ts';
import { writeMpd } from './writeMpd.ts';
import { representationRow } from './writeSegments.ts';

const rate = { n: 25, d: 1 };
const ladder = ladderOf([syntheticAsset({ name: 'a', rate, segments: [50, 50] })]);
const clips = clipsFor(ladder);
const slate = (frames: number): Clip => clips.slate('slate', frames);

/** Start and duration of the first `count` segments of a rung, in ticks after the start of the Period. */
function listed(clip: Clip, rung: number, count: number): (readonly [number, number])[] {
  const cell = clip.cells[rung]!;
  const row = representationRow('r', clip, cell, cell.first, cell.first + count);
  return row.runs.flatMap(({ t, d, count: times }) =>
    Array.from({ length: times }, (_, index) => [t + index * d - row.presentationTimeOffset, d] as const),
  );
}

test.each(ladder.rungs.map(({ id }, rung) => [id, rung] as const))(
  'segments of %s that are listed keep their places when the break ends early',
  (_, rung) => {
    for (const clip of [slate(3000), clips.ad('mx125', 125)]) {
      for (let frames = 40; frames < 120; frames += 1) {
        const [head, filler] = fitToEnd([{ at: 0, clip }], framesToFlicks(frames, rate), rate, slate);
        if (filler === undefined) continue;
        const { first, end } = head!.clip.cells[rung]!;
        expect(listed(head!.clip, rung, end - first)).toEqual(listed(clip, rung, end - first));
      }
    }
  },
);

const start = Date.parse('2026-03-01T00:00:00.000Z');
const shape = { name: 'video', rate: { n: 30_000, d: 1001 }, segments: new Array(10).fill(60) };
const video = syntheticAsset({ ...shape, qualities: 2 });
const withText = syntheticAsset({ ...shape, qualities: 1, texts: ['en'] });
const withRenditions = (asset: Asset, change: (rendition: Rendition) => Rendition[]): Asset => ({
  ...asset,
  renditions: asset.renditions.flatMap(change),
});
const withTracks = (asset: Asset, change: (track: Track, id: string) => Track): Asset =>
  withRenditions(asset, (one) => [{ ...one, tracks: one.tracks.map((track) => change(track, one.id)) }]);

function clipOf(asset: Asset, ladder: Ladder, from: number, to: number): Clip {
  const fit = fitToLadder(asset, ladder);
  if (!fit.ok) throw new Error(fit.reason);
  const at = (segments: number) => flicks(segments * 60 * 1001 * (FLICKS_PER_SECOND / 30_000));
  return cutClip({ kind: 'content', asset, part: 0, from: at(from) }, fit.renditions, at(to))!;
}

/** The MPD after 13 s, with a window of a minute, of segments 2 to 6 of the asset and two seconds of slate. */
function mpdOf(asset: Asset, depth = 60_000, startDelay?: number, rungs?: Ladder['rungs']): string {
  const derived = ladderOf([asset]);
  const ladder = { ...derived, rungs: rungs ?? derived.rungs };
  const clips = [clipOf(asset, ladder, 2, 6), clipsFor(ladder).slate('slate', 60)];
  let at = start;
  const spans = clips.map((clip, index): Span => {
    const placed = place(clip, { millis: millis(at), rest: flicks(0) });
    at += Math.round((clip.duration / FLICKS_PER_SECOND) * 1000);
    return { id: `0-${index}`, placed, numbers: ladder.rungs.map(() => 0), discontinuity: index, memos: noMemos() };
  });
  const now = millis(start + 13_000);
  const window = windowAt(spans, millis(now - depth), now);
  const text = writeMpd(window, {
    ladder,
    availabilityStart: millis(start),
    now,
    depth,
    ...(startDelay === undefined ? {} : { startDelay }),
    clockUrl: 'https://live.test/time?a&b',
    baseUrl: 'session/',
  });
  checkMpd(text);
  return text;
}
const all = (text: string, tag: RegExp): string[] => [...text.matchAll(tag)].map(([found]) => found);

test('writes a Period for each span, with the media time at which it starts', () => {
  const text = mpdOf(video);
  const periods = ['<Period id="0-0" start="PT0S">', '<Period id="0-1" start="PT8.008S">'];
  expect(all(text, /<Period [^>]*>/g)).toEqual(periods);
  expect(text).toContain('timescale="30000" presentationTimeOffset="120120" startNumber="3"');
  expect(text).toContain('<S t="120120" d="60060" r="3"/>');
  expect(text).toContain('value="https://live.test/time?a&amp;b"');
});

test('suggestedPresentationDelay is three target durations, or more for a session that starts in the past', () => {
  const delayOf = (startDelay?: number) =>
    /suggestedPresentationDelay="(\w+)"/.exec(mpdOf(video, 60_000, startDelay))?.[1];
  expect([delayOf(), delayOf(2000), delayOf(45_000)]).toEqual(['PT9S', 'PT9S', 'PT45S']);
});

test('the presentationTimeOffset of a rendition compensates its lag and the edit list that browsers ignore', () => {
  const audioOffset = (change: Partial<Track>): string[] => {
    const asset = withTracks(video, (track, id) => (id === 'audio' ? { ...track, ...change } : track));
    const [content] = mpdOf(asset).split('</Period>');
    const [set] = all(content!, /contentType="audio"[\s\S]*?<\/AdaptationSet>/g);
    return [...all(set!, /presentationTimeOffset="\d+"/g), ...all(set!, /<S [^>]*>/g)];
  };
  const plain = audioOffset({});
  expect(plain[0]).toBe('presentationTimeOffset="192192"');
  const moved = audioOffset({ lag: -1056, ignoredDelay: 2784 });
  expect(moved[0]).toBe(`presentationTimeOffset="${192_192 - 1056 - 2784}"`);
  expect(moved[1]).toMatch(new RegExp(`^<S t="${192_192 - 1056 - 2784}" `));
  expect(mpdOf(video)).toContain('timescale="30000" presentationTimeOffset="120120"');
});

const timed = { kind: 'time', prefix: 'https://o.test/', suffix: '', width: 1 } as const;
test.each<[string, Partial<Track>, number, [number, number]]>([
  ['audio that starts 1024 samples before the video', {}, -1024, [0, 95_232]],
  ['audio that is early by 1024 samples throughout', { lag: -1024 }, -1024, [0, 95_232]],
  ['audio with a delay that browsers ignore', { ignoredDelay: 3840 }, 0, [0, 92_416]],
  ['audio whose URLs contain times', { urls: timed, lag: -1024 }, -1024, [0, 95_232]],
])('%s is listed from media time 0 on', (_, change, earlier, [t, d]) => {
  const asset = withTracks(video, (track, id) =>
    id === 'audio' ? { ...track, borders: track.borders.map((border) => border + earlier), ...change } : track,
  );
  const ladder = ladderOf([asset]);
  const clip = clipOf(asset, ladder, 0, 4);
  const cell = clip.cells.at(-1)!;
  const row = representationRow('a0', clip, cell, cell.first, cell.end);
  expect(row).toMatchObject({ presentationTimeOffset: 0, runs: [{ t }, ...row.runs.slice(1)] });
  expect(row.runs[0]!.d).toBe(d);
  const { t: last, d: length, count } = row.runs.at(-1)!;
  expect(Math.abs(last + length * count - (4 * 60 * 1001 * 48_000) / 30_000)).toBeLessThan(2048);
});

test('numbers that startNumber cannot state are listed', () => {
  const counted = (first: number) =>
    mpdOf(withTracks(video, (track, id) => ({ ...track, urls: { ...track.urls, prefix: `${id}/`, first } as never })));
  expect(counted(2 ** 32 - 11)).toContain('<SegmentTemplate');
  expect(counted(1_772_323_200_000)).toContain('<SegmentURL media="video0/1772323200002.m4s"/>');
});

test('segments that have left the window are not listed; the start and offset of their Period stay', () => {
  const text = mpdOf(video, 9000);
  expect(text).toContain('<Period id="0-0" start="PT0S">');
  expect(text).toContain('presentationTimeOffset="120120" startNumber="4"');
  expect(text).toContain('<S t="180180" d="60060" r="2"/>');
});

const ends = Uint32Array.from({ length: 10 }, (_, index) => index + 1);
const listedUrls = (prefix: string) => ({ kind: 'list' as const, prefix, names: 'abcdefghij', ends });

test('writes a SegmentList for URLs without numbers or times, and for byte ranges', () => {
  const names = withTracks(video, (track, id) => ({ ...track, urls: listedUrls(`https://o.test/${id}/$&`) }));
  expect(all(mpdOf(names), /<SegmentURL media="https:\/\/o.test\/video0[^>]*>/g)).toEqual(
    [...'cdef'].map((name) => `<SegmentURL media="https://o.test/video0/$&amp;${name}"/>`),
  );
  const starts = Float64Array.from({ length: 10 }, (_, index) => 1000 + 500 * index);
  const ranges = withTracks(video, (track, id) => ({
    ...track,
    init: { url: `https://o.test/${id}.mp4`, range: { start: 0, length: 800 } },
    urls: { kind: 'ranges', url: `https://o.test/${id}.mp4`, starts, lengths: new Float64Array(10).fill(500) },
  }));
  const text = mpdOf(ranges);
  expect(text).toContain('<Initialization sourceURL="https://o.test/video0.mp4" range="0-799"/>');
  expect(text).toContain('<SegmentURL media="https://o.test/video0.mp4" mediaRange="2000-2499"/>');
});

const SEGMENTS = /<(SegmentTemplate|SegmentList)\s([^>]*)>([\s\S]*?)<\/\1>/g;

test('each Representation finds exactly one complete SegmentTemplate or SegmentList, and one BaseURL, on its path', () => {
  const listed = withTracks(video, (track) => ({ ...track, urls: listedUrls('https://o.test/') }));
  for (const asset of [video, listed, withText]) {
    const text = mpdOf(asset);
    expect(all(text, /<BaseURL>[^<]*<\/BaseURL>/g)).toEqual(['<BaseURL>session/</BaseURL>']);
    for (const [, name, attributes, children] of text.matchAll(SEGMENTS)) {
      expect(attributes).toMatch(/timescale="\d+" presentationTimeOffset="\d+"/);
      expect(children).toContain('<SegmentTimeline>');
      if (name === 'SegmentTemplate') expect(attributes).toMatch(/ initialization="[^"]+" media="[^"]+"/);
      else expect(children).toMatch(/<Initialization sourceURL="[^"]+"\/>[\s\S]*<SegmentURL /);
    }
    for (const set of all(text, /<AdaptationSet[\s\S]*?<\/AdaptationSet>/g)) {
      const [above, ...below] = set.split('<Representation').map((part) => all(part, SEGMENTS).length);
      expect(below.map((own) => above! + own)).toEqual(below.map(() => 1));
    }
  }
});

test('Representations whose URLs differ only in their ids share one template', () => {
  const [content, slate] = mpdOf(video).split('</Period>');
  expect(all(content!, SEGMENTS)).toHaveLength(3);
  expect(content).not.toContain('$RepresentationID$');
  expect(all(slate!, SEGMENTS)).toHaveLength(2);
  expect(slate).toContain('initialization="/m/slate/30/$RepresentationID$/init.mp4"');
  expect(slate).toContain('media="/m/slate/30/$RepresentationID$/$Number$.m4s"');
});

test('escapes a $ of a URL', () => {
  const urls = { kind: 'time', prefix: 'https://o.test/a$b/', suffix: '.m4s', width: 8 } as const;
  const init = { url: 'https://o.test/$init$.mp4' };
  const text = mpdOf(withTracks(video, (track) => ({ ...track, init, urls })));
  expect(text).toContain('media="https://o.test/a$$b/$Time%08d$.m4s"');
  expect(text).toContain('initialization="https://o.test/$$init$$.mp4"');
});

test('writes an AdaptationSet for each language; an invalid language is und, and only one audio set is main', () => {
  const asset = withRenditions(video, (one) =>
    one.kind === 'audio' ? ['en', 'Français "2"', 'sv-SE'].map((language) => ({ ...one, language })) : [one],
  );
  const text = mpdOf(asset);
  expect(all(text, /lang="[^"]*"/g).slice(0, 3)).toEqual(['lang="en"', 'lang="und"', 'lang="sv-SE"']);
  const roles = all(text, /<Role [^>]*>/g).map((role) => /value="(\w+)"/.exec(role)![1]);
  expect(roles.slice(0, 4)).toEqual(['main', 'main', 'alternate', 'alternate']);
  const audioOnly = withRenditions(asset, (one) => (one.kind === 'audio' ? [one] : []));
  expect(all(mpdOf(audioOnly), /value="main"/g)).toHaveLength(2);
});

test('writes ContentProtection for content only, not for slate', () => {
  const dash = ['<ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc"/>'];
  const text = mpdOf(withTracks(video, (track) => ({ ...track, protection: { dash } })));
  const [content, slate] = text.split('</Period>');
  expect(all(content!, /<ContentProtection /g)).toHaveLength(2);
  expect(slate).not.toContain('ContentProtection');
  expect(readXml(text)).toMatchObject({ root: { name: 'MPD' }, warnings: [] });
});

test('writes text as fragmented MP4 in every Period, with the timeline of the video', () => {
  const text = mpdOf(withText);
  const sets = all(text, /<AdaptationSet id="\d+" contentType="text"[\s\S]*?<\/AdaptationSet>/g);
  expect(sets).toHaveLength(2);
  for (const set of sets) {
    expect(set).toContain('mimeType="application/mp4"');
    expect(set).toContain('lang="en"');
    expect(set).toContain('value="subtitle"');
    expect(set).toContain('codecs="wvtt"');
  }
  expect(sets[0]).toContain('media="../../../m/video/0/2/$Number$.m4s"');
  const timelines = all(text, /<SegmentTimeline>[\s\S]*?<\/SegmentTimeline>/g);
  expect(timelines).toHaveLength(6);
  expect([timelines[2], timelines[5]]).toEqual([timelines[0], timelines[3]]);
});

test('leaves out the text of a live origin that is WebVTT files, in every Period', () => {
  const plain = ladderOf([withText]).rungs.map((rung) => (rung.kind === 'text' ? { ...rung, codecs: '' } : rung));
  const sets = (rungs: Ladder['rungs']) => all(mpdOf(withText, 60_000, 0, rungs), /contentType="text"/g);
  expect(sets(ladderOf([withText]).rungs)).toHaveLength(2);
  expect(sets(plain)).toEqual([]);
});
