// SPDX-License-Identifier: Apache-2.0
// The laws of published manifests (docs/laws.md) for live content: random slots, edges and window starts.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noMemos } from '../../src/cache/memo.ts';
import { writeMpd } from '../../src/dash/write/writeMpd.ts';
import { writeMedia } from '../../src/hls/writeMedia.ts';
import { contentClip, sharesStretch, sharesTrack, stretchOrigin } from '../../src/live/programme/contentClip.ts';
import type { Slot, StretchOrigin } from '../../src/live/slot.ts';
import { flicks, millis, secondsToFlicks } from '../../src/time/units.ts';
import type { Ladder, Rung } from '../../src/timeline/ladder/ladder.ts';
import { after, place, type Span, spanEnd } from '../../src/timeline/programme/span.ts';
import { windowAt } from '../../src/timeline/programme/window.ts';
import { lawRuns } from '../lawRuns.ts';
import { readHls, readMpd } from './readBack.ts';
import { checkMpd } from './schema/checkMpd.ts';
import { clipsFor } from './syntheticChannel.ts';
import { liveFeed, liveNode, writeLog } from './syntheticLive.ts';
import { FRAME, type Origin, rungSources, type SlotShape, syntheticSlots } from './syntheticSlots.ts';
import { ColumnWitness, RowsWitness } from './witness.ts';

const START = Date.parse('2026-03-01T00:00:00.123Z');

const shapes: fc.Arbitrary<SlotShape[]> = fc.array(
  fc.record({
    frames: fc.integer({ min: 25, max: 150 }),
    slew: fc.integer({ min: -100, max: 100 }),
    startsStretch: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    hasNewKey: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
    isGap: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    breakFrames: fc
      .integer({ min: 0, max: 9 })
      .chain((one) => (one === 0 ? fc.integer({ min: 50, max: 200 }) : fc.constant(0))),
  }),
  { minLength: 30, maxLength: 70 },
);

const origins: fc.Arbitrary<Origin> = fc.record({
  hasTimes: fc.boolean(),
  base: fc.constantFrom(0, 1_772_323_200),
  videoScale: fc.constantFrom(90_000, 12_800, 25_000),
  audioParts: fc.integer({ min: 1, max: 3 }),
  urls: fc.constantFrom('number', 'time', 'name'),
  keys: fc.constantFrom('none', 'fixed', 'ivs'),
});

function ladderFor(origin: Origin): Ladder {
  const rungs = rungSources(origin).map(({ key, kind, ...source }, index): Rung => {
    const { codecs, bandwidth, averageBandwidth, timescale, sampleRate } = source;
    const id = index === 0 ? 'v0' : 'a0';
    return {
      id,
      kind: kind as Rung['kind'],
      codecs,
      bandwidth,
      averageBandwidth,
      timescale,
      sampleRate: sampleRate ?? 0,
    };
  });
  return { container: 'fmp4', layout: 'separate', frameRate: { n: 25, d: 1 }, rungs, targetDuration: 6 };
}

type Run = {
  readonly origin: StretchOrigin;
  readonly id: string;
  readonly slots: Slot[];
  readonly discontinuity: number;
};

/** The spans of a channel, as far as its slots were read. Each is made once for each number of its slots. */
function channelOf(origin: Origin, slots: readonly Slot[], list: readonly SlotShape[], ladder: Ladder) {
  const feed = { rungs: rungSources(origin) };
  const clips = clipsFor(ladder);
  const made = new Map<string, Span>();
  const share = (key: string, make: () => Span): Span => {
    const span = made.get(key) ?? make();
    made.set(key, span);
    return span;
  };
  return (read: number): Span[] => {
    const spans: Span[] = [];
    const numbers = ladder.rungs.map(() => 0);
    let discontinuity = -1;
    let run: Run | undefined;
    const add = (key: string, make: () => Span) => {
      const span = share(key, make);
      spans.push(span);
      for (const rung of numbers.keys())
        numbers[rung]! += span.placed.clip.ends[rung]! - span.placed.clip.firsts[rung]!;
    };
    const finish = () => {
      if (run === undefined || run.slots.length === 0) return;
      const { id, origin: from, slots: own } = run;
      const all = own.splice(0) as [Slot, ...Slot[]];
      const before = [...numbers];
      const number = discontinuity;
      add(`${all[0].number} ${all.length}`, () => ({
        ...{ id: `${id}.${all[0].number}`, placed: place(contentClip(feed, all, from), all[0].start) },
        ...{ numbers: before, discontinuity: number, stretch: { id, start: from.start }, memos: noMemos() },
      }));
    };
    const addBreak = (index: number) => {
      const { breakFrames } = list[index]!;
      if (breakFrames === 0) return;
      finish();
      discontinuity += 1;
      const [before, number] = [[...numbers], discontinuity];
      const start = after(slots[index]!.start, -breakFrames * FRAME);
      add(`break ${index}`, () => ({
        ...{ id: `b${index}`, placed: place(clips.slate('slate', breakFrames), start), numbers: before },
        ...{ discontinuity: number, memos: noMemos() },
      }));
    };
    slots.slice(0, read).forEach((slot, index) => {
      const previous = slots[index - 1];
      const { breakFrames } = list[index]!;
      addBreak(index);
      const continues =
        previous !== undefined && !slot.isNewStretch && breakFrames === 0 && sharesStretch(previous, slot);
      const grows = continues && slot.number % 16 !== 0 && sharesTrack(previous, slot);
      if (!grows) finish();
      if (!continues) {
        discontinuity += 1;
        run = { origin: stretchOrigin(feed, slot), id: `s${slot.number}`, slots: [], discontinuity };
      }
      run!.slots.push(slot);
    });
    finish();
    // The slate of a break does not wait for the content after it.
    if (read < slots.length) addBreak(read);
    return spans;
  };
}

/** The key and the missing segments of a media playlist, by URI. */
function readTags(text: string): Map<string, { key: string; isGap: boolean }> {
  const found = new Map<string, { key: string; isGap: boolean }>();
  let [key, isGap] = ['METHOD=NONE', false];
  for (const line of text.split('\n')) {
    if (line.startsWith('#EXT-X-KEY:')) key = line.slice(11);
    else if (line === '#EXT-X-GAP') isGap = true;
    else if (line !== '' && !line.startsWith('#')) {
      found.set(line, { key, isGap });
      isGap = false;
    }
  }
  return found;
}

test('laws 1, 2, 3, 6 and 7 hold for live content at any edge', () => {
  fc.assert(
    fc.property(
      origins,
      shapes,
      fc.array(
        fc.record({ wait: fc.integer({ min: 200, max: 8000 }), depth: fc.integer({ min: 20_000, max: 90_000 }) }),
        {
          minLength: 30,
          maxLength: 30,
        },
      ),
      (origin, list, polls) => {
        const ladder = ladderFor(origin);
        const slots = syntheticSlots(origin, list, { millis: millis(START), rest: flicks(123_456) });
        const spansOf = channelOf(origin, slots, list, ladder);
        const keys = new Map(
          slots.flatMap(({ segments }) =>
            segments.flat().map(({ media, keys: own }) => [media.url, own?.[0] ?? 'METHOD=NONE']),
          ),
        );
        const gaps = new Set(
          slots.flatMap(({ segments }) => segments.flat().flatMap((s) => (s.isGap ? [s.media.url] : []))),
        );
        const columns = ladder.rungs.map(({ id }) => new ColumnWitness(id, { n: 25, d: 1 }));
        const rows = new RowsWitness();
        let [now, from] = [START + 12_000, START];
        for (const { wait, depth } of polls) {
          now += Math.min(wait, 6000);
          from = Math.max(from, now - depth);
          const read = slots.findIndex(({ start, duration }) => after(start, duration).millis > now);
          if (read < 0) break;
          const spans = spansOf(read);
          const edge = Math.min(now, spanEnd(spans.at(-1)!));
          const window = windowAt(spans, millis(from), millis(edge));
          if (window.rows.length === 0) continue;
          const shift = { segments: ladder.rungs.map(() => 1000), discontinuities: 7 };
          const texts = ladder.rungs.map((_, rung) => writeMedia(window, rung, shift, { ladder }));
          const frame = {
            ladder,
            availabilityStart: millis(START),
            now: millis(now),
            depth,
            clockUrl: 'c',
            baseUrl: '',
          };
          const mpd = writeMpd(window, frame);
          rows.check(mpd);
          const periods = readMpd(mpd);
          ladder.rungs.forEach(({ id }, rung) => {
            const seen = columns[rung]!.check(texts[rung]!, now);
            const tags = readTags(texts[rung]!);
            for (const [uri, { key, isGap }] of tags) {
              const message = `${uri}\n${texts[rung]}`;
              expect(key, message).toBe(keys.get(uri) ?? 'METHOD=NONE');
              expect(isGap, message).toBe(gaps.has(uri));
            }
            const listed = periods.flatMap(({ urls, starts }) =>
              urls[id]!.map((uri, at) => ({ uri, at: starts[id]![at]! })),
            );
            // DASH leaves missing segments out, unless a rung of the Period would be empty (law 5).
            for (const { urls } of periods) {
              const missing = urls[id]!.filter((uri) => gaps.has(uri)).length;
              expect([0, urls[id]!.length], mpd).toContain(missing);
            }
            const inDash = listed.filter(({ uri }) => !gaps.has(uri));
            const inHls = seen.segments.filter(({ uri }) => !gaps.has(uri));
            expect(
              inDash.map(({ uri }) => uri),
              mpd,
            ).toEqual(inHls.map(({ uri }) => uri));
            // Media times place each segment at its date, up to half an audio frame and the adjustments of the timeline. In HLS, the
            // audio of slate is dated where it joins content.
            const slews = origin.hasTimes ? list.reduce((sum, { slew }) => sum + Math.abs(slew) / 100, 0) : 0;
            inDash.forEach(({ uri, at }, index) => {
              const tolerance = slews + (uri.startsWith('/m/') ? 23 : 12);
              expect(Math.abs(at - inHls[index]!.date), `${uri}\n${mpd}`).toBeLessThan(tolerance);
            });
          });
        }
      },
    ),
    lawRuns(40),
  );
});

test('a stretch of many spans is one Period, without a discontinuity', () => {
  const origin: Origin = { hasTimes: true, base: 0, videoScale: 90_000, audioParts: 1, urls: 'number', keys: 'none' };
  const ladder = ladderFor(origin);
  const plain = { frames: 50, slew: 0, startsStretch: false, hasNewKey: false, isGap: false, breakFrames: 0 };
  const list = Array.from({ length: 200 }, () => plain);
  const slots = syntheticSlots(origin, list, { millis: millis(START), rest: flicks(0) });
  const spans = channelOf(origin, slots, list, ladder)(200);
  expect(spans.length).toBeGreaterThan(10);
  const now = millis(START + 300_000);
  const window = windowAt(spans, millis(now - 200_000), now);
  const frame = { ladder, availabilityStart: millis(START), now, depth: 200_000, clockUrl: 'c', baseUrl: '' };
  const [period, ...others] = readMpd(writeMpd(window, { ...frame, clockOffset: 2500 }));
  expect(others).toEqual([]);
  expect(period).toMatchObject({ id: 's0', start: START + 2500, offsets: { v0: '630000', a0: '336000' } });
  expect(period!.urls.v0).toHaveLength(100);
  const text = writeMedia(window, 0, { segments: [0, 0], discontinuities: 0 }, { ladder });
  expect(text.match(/EXT-X-MAP/g)).toHaveLength(1);
  expect(readHls(text).segments.map(({ discontinuity }) => discontinuity)).toEqual(new Array(100).fill(0));
});

/** The MPDs of a Period whose first media time is 0, from its first segment on. */
function growingPeriod(urls: Origin['urls'], earlier = 0): string[] {
  const origin: Origin = { hasTimes: true, base: -7, videoScale: 90_000, audioParts: 1, urls, keys: 'none' };
  const ladder = ladderFor(origin);
  const plain = { frames: 50, slew: 0, startsStretch: false, hasNewKey: false, isGap: false, breakFrames: 0 };
  const slots = syntheticSlots(origin, [plain, plain, plain], { millis: millis(START), rest: flicks(0) });
  const moved = slots.map((slot) => ({
    ...slot,
    segments: slot.segments.map((own, rung) =>
      rung === 0 ? own : own.map((one) => ({ ...one, mediaTime: one.mediaTime! - earlier })),
    ),
  }));
  return [1, 2, 3].map((read) => {
    const spans = channelOf(origin, moved, [plain, plain, plain], ladder)(read);
    const now = millis(spanEnd(spans.at(-1)!));
    const frame = { ladder, availabilityStart: millis(START), now, depth: 60_000, clockUrl: 'c', baseUrl: '' };
    const mpd = writeMpd(windowAt(spans, millis(START), now), frame);
    checkMpd(mpd);
    return mpd;
  });
}

test('the template of a new Period does not change what players have read', () => {
  const templates = (urls: Origin['urls']) =>
    growingPeriod(urls).map((mpd) =>
      [...mpd.matchAll(/<SegmentTemplate ([^>]*)>/g)].map(
        ([, tag]) => `${/media="[^"]*seg-(.*?)\.m4s"/.exec(tag!)![1]} ${/startNumber="(\d+)"/.exec(tag!)?.[1]}`,
      ),
    );
  expect(templates('number')).toEqual(Array(3).fill(Array(2).fill('$Number$ 9990')));
  // The first URL may contain a time or a number. Numbers that are given up are not applied to others.
  const times = Array(2).fill('$Time$ undefined');
  expect(templates('time')).toEqual([Array(2).fill('$Number$ 0'), times, times]);
});

test('audio that an edit list moves to before media time 0 is listed from 0 on, in sync with the video', () => {
  for (const mpd of growingPeriod('number', 1024)) {
    const [, audio] = mpd.match(/<SegmentTemplate [\s\S]*?<\/SegmentTemplate>/g)!;
    expect(audio).toContain('presentationTimeOffset="0"');
    expect(audio).toContain('<S t="0" d="95232"');
  }
});

test('a window that moves on after it stood still begins with what players have not read', () => {
  const feed = liveFeed(50, 1);
  const plan = { frames: 50, window: 6000, breaks: [], stretches: new Set<number>() };
  const rules = { fill: 'slate', maxBreak: secondsToFlicks(60) } as const;
  const written = writeLog(feed, plan, rules, 40, () => 0);
  const late = written[31]!.visibleAt;
  const entries = written.map((one, index) => (index > 19 && index < 32 ? { ...one, visibleAt: late } : one));
  const node = liveNode(feed, entries, 0, {});
  const stood = node.airingAt(written[19]!.visibleAt).programme.edgeAt(millis(0));
  const { programme } = node.airingAt(late);
  expect(programme.edgeAt(millis(0)) - stood).toBe(24_000);
  expect(programme.listedFrom).toBeLessThan(stood);
  expect(node.airingAt(written[39]!.visibleAt).programme.listedFrom).toBeGreaterThan(stood);
});
