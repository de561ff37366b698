// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { FLICKS_PER_SECOND, flicks, millis, secondsToFlicks, ticksToFlicks } from '../../time/units.ts';
import { segmentStart } from '../../timeline/asset/clip.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { RungSource } from '../feed.ts';
import type { Slot, SlotSegment } from '../slot.ts';
import { contentClip, sharesStretch, sharesTrack, stretchOrigin } from './contentClip.ts';

const source = (kind: 'video' | 'audio', timescale: number): RungSource => ({
  key: kind,
  kind,
  container: 'fmp4',
  codecs: '',
  bandwidth: 1,
  averageBandwidth: 1,
  timescale,
});
const feed = { rungs: [source('video', 90_000), source('audio', 48_000)] };
const start: Instant = { millis: millis(1_772_000_000_123), rest: flicks(700_000) };

const segment = (rung: string, number: number, seconds: number, more: Partial<SlotSegment> = {}): SlotSegment => ({
  number,
  duration: secondsToFlicks(seconds),
  media: { url: `https://o.test/${rung}/${number}.m4s` },
  init: { url: `https://o.test/${rung}/init.mp4` },
  ...more,
});

/** Slots of 4 s with one video segment and two audio segments. */
const slots = (count: number, more: (rung: string, number: number) => Partial<SlotSegment> = () => ({})): Slot[] =>
  Array.from({ length: count }, (_, number) => ({
    number,
    start: after(start, number * 4 * FLICKS_PER_SECOND),
    duration: secondsToFlicks(4),
    isNewStretch: number === 0,
    segments: [
      [segment('v', number, 4, more('v', number))],
      [0, 1].map((half) => segment('a', 2 * number + half, half === 0 ? 1.9 : 2.1, more('a', 2 * number + half))),
    ],
  }));
const clipOf = (all: readonly Slot[], from = 0, to = all.length) =>
  contentClip(feed, all.slice(from, to) as [Slot, ...Slot[]], stretchOrigin(feed, all[0]!));
const starts = (clip: ReturnType<typeof clipOf>, rung: number) =>
  Array.from(
    { length: clip.ends[rung]! + 1 },
    (_, index) => segmentStart(clip, clip.cells[rung]!, index) / FLICKS_PER_SECOND,
  );

test('lists the segments of the slots, and splits a slot in proportion to the durations of its segments', () => {
  const clip = clipOf(slots(5), 1, 4);
  expect([clip.from, clip.duration, clip.ends]).toEqual([secondsToFlicks(4), secondsToFlicks(12), [3, 6]]);
  expect(starts(clip, 0)).toEqual([0, 4, 8, 12]);
  expect(starts(clip, 1)).toEqual([0, 1.9, 4, 5.9, 8, 9.9, 12]);
  expect([0, 2].map((index) => segmentUrl(clip.cells[0]!.track, index).url)).toEqual([
    'https://o.test/v/1.m4s',
    'https://o.test/v/3.m4s',
  ]);
  expect(clip.cells[0]!.track.init).toEqual({ url: 'https://o.test/v/init.mp4' });
});

test('keeps media times since the start of the stretch, however large they are', () => {
  const epoch = { v: 1_772_000_000 * 90_000, a: 1_772_000_000 * 48_000 + 300 };
  const all = slots(6, (rung, number) => ({
    mediaTime: rung === 'v' ? epoch.v + number * 360_000 : epoch.a + number * 96_000,
    ...(rung === 'a' && number === 0 ? { late: ticksToFlicks(300, 48_000) } : {}),
  }));
  const clip = clipOf(all, 3, 5);
  const [video, audio] = clip.cells.map(({ track }) => track);
  expect([video!.mediaTime, [...video!.borders]]).toEqual([epoch.v, [1_080_000, 1_440_000, 1_800_000]]);
  expect([audio!.mediaTime, audio!.borders[0]]).toEqual([epoch.a - 300, 576_300]);
  expect(starts(clip, 0)).toEqual([0, 4, 8]);
  // At the start of the stretch, audio starts with it.
  expect(clipOf(all, 0, 2).cells[1]!.track.borders[0]).toBe(0);
});

test('a slot whose segments would be beside it by their media times is split in proportion', () => {
  // The audio of slot 2 is 3 s early: both of its segments are before the slot, or one is.
  for (const early of [3, 2.1]) {
    const mediaTime = (rung: string, number: number) =>
      rung === 'v' ? number * 360_000 : number * 96_000 - (number === 4 || number === 5 ? early * 48_000 : 0);
    const all = slots(5, (rung, number) => ({ mediaTime: mediaTime(rung, number) }));
    // What is listed does not change when the clip grows.
    for (const count of [3, 4, 5]) {
      const found = starts(clipOf(all, 0, count), 1);
      expect(found.slice(0, 7)).toEqual([0, 2, 4, 6, 8, 9.9, 12]);
      expect(clipOf(all, 0, 3).cells[1]!.track.borders[6]).toBe(12 * 48_000);
      expect(found.every((start, index) => index === 0 || start > found[index - 1]!)).toBe(true);
    }
  }
});

test('follows the timeline where the dates of the origin are adjusted, and keeps the media times', () => {
  const all = slots(400, (rung, number) => ({ mediaTime: rung === 'v' ? number * 360_090 : number * 96_024 }));
  const clip = clipOf(all, 390, 394);
  expect(starts(clip, 0)).toEqual([0, 4, 8, 12, 16]);
  expect(starts(clip, 1)[1]).toBeCloseTo(2.0005, 3);
  expect(clip.cells[0]!.track.borders[0]).toBe(390 * 360_090);
});

test('recognises URLs that contain media times', () => {
  const all = slots(3, (rung, number) => {
    const mediaTime = 7_000_000 + number * (rung === 'v' ? 360_000 : 96_000);
    return { mediaTime, media: { url: `https://o.test/${rung}/4-${mediaTime}.m4s` } };
  });
  const { track } = clipOf(all, 1, 3).cells[0]!;
  expect(track.urls).toEqual({ kind: 'time', prefix: 'https://o.test/v/4-', suffix: '.m4s', width: 1 });
  expect(segmentUrl(track, 1).url).toBe('https://o.test/v/4-7720000.m4s');
});

test('keeps gaps, and keys of the clip or of each segment', () => {
  const gap = clipOf(slots(3, (rung, number) => (rung === 'v' && number === 1 ? { isGap: true } : {})));
  expect(gap.cells[0]!.track.gaps).toEqual(new Set([1]));
  expect(gap.cells[1]!.track.gaps).toBeUndefined();
  const fixed = clipOf(slots(2, () => ({ keys: ['METHOD=SAMPLE-AES,URI="skd://1"'] })));
  expect(fixed.cells[0]!.track.protection).toEqual({ hls: ['METHOD=SAMPLE-AES,URI="skd://1"'] });
  const rotating = clipOf(slots(2, (_, number) => ({ keys: [`METHOD=AES-128,URI="k",IV=0x${number}`] })));
  expect(rotating.cells[0]!.track.protection).toEqual({
    hlsOfEach: [['METHOD=AES-128,URI="k",IV=0x0'], ['METHOD=AES-128,URI="k",IV=0x1']],
  });
});

test.each<[string, Partial<SlotSegment>, { track: boolean; stretch: boolean }]>([
  ['nothing', {}, { track: true, stretch: true }],
  ['IV', { keys: ['METHOD=AES-128,IV=0x2,URI="k"'] }, { track: true, stretch: true }],
  ['key', { keys: ['METHOD=AES-128,IV=0x1,URI="l"'] }, { track: false, stretch: true }],
  ['no key', { keys: [] }, { track: false, stretch: true }],
  ['token', { init: { url: 'https://o.test/init.mp4?token=2' } }, { track: false, stretch: true }],
  ['initialization section', { init: { url: 'https://o.test/2.mp4' } }, { track: false, stretch: false }],
  ['protection', { protection: ['<ContentProtection/>'] }, { track: false, stretch: false }],
])('a change of %s', (_, change, expected) => {
  const before = { keys: ['METHOD=AES-128,IV=0x1,URI="k"'], init: { url: 'https://o.test/init.mp4?token=1' } };
  const [a, b] = slots(2, (_, number) => ({ ...before, ...(number > 0 ? change : {}) }));
  const plain = (slot: Slot): Slot => ({ ...slot, segments: [slot.segments[0]!] });
  const [one, other] = [plain(a!), plain(b!)];
  expect({ track: sharesTrack(one, other), stretch: sharesStretch(one, other) }).toEqual(expected);
});
