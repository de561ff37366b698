// SPDX-License-Identifier: Apache-2.0
// The objects from which manifests are written share their hidden classes, so that V8 finds their fields without a search
// (docs/performance.md). Their number must not grow with the number of channels and breaks.
import { setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';
import { breakClips } from '../../src/ads/placement/breakClips.ts';
import { millis, secondsToFlicks } from '../../src/time/units.ts';
import { type BreakSpan, isBreakSpan, type Span } from '../../src/timeline/programme/span.ts';
import { airingOf, clipsFor, decide, syntheticChannel, viewerOf } from '../laws/syntheticChannel.ts';
import { LIVE_START, liveFeed, liveNode, writeLog } from '../laws/syntheticLive.ts';
import { syntheticAsset } from '../laws/syntheticMedia.ts';
import { presentationOf, randomBreaks, titleOf } from '../laws/syntheticPresentation.ts';
import { seededRandom } from '../seededRandom.ts';

setFlagsFromString('--allow-natives-syntax');
const haveSameClass = new Function('one', 'other', 'return %HaveSameMap(one, other)') as (
  one: object,
  other: object,
) => boolean;

/** The hidden classes of objects, each as its fields. */
function classesOf(objects: readonly object[]): string[] {
  const classes: object[] = [];
  for (const one of objects) if (!classes.some((known) => haveSameClass(known, one))) classes.push(one);
  return classes.map((one) => Object.keys(one).join());
}

/** Optional fields make a few; before they were shared, each object had one of its own. */
const MOST = 10;
const COUNT = 40;
const START = millis(Date.parse('2026-03-01T00:00:00Z'));

function expectFewClasses(spans: readonly Span[]): void {
  const placed = spans.map((span) => span.placed);
  const cells = placed.flatMap(({ clip }) => clip.cells);
  const objects = {
    spans,
    placed,
    clips: placed.map(({ clip }) => clip),
    cells,
    tracks: cells.map(({ track }) => track),
    renditions: cells.map(({ rendition }) => rendition),
    breaks: spans.flatMap((span) => span.break ?? []),
  };
  expect(spans.length).toBeGreaterThan(COUNT);
  for (const [name, all] of Object.entries(objects)) expect(classesOf(all).length, name).toBeLessThanOrEqual(MOST);
}

const cuePoints = [{ spliceTime: 20, maxDuration: 10 }];

function channelOf(index: number) {
  const segments = new Array<number>(20).fill(50);
  const rate = { n: 25, d: 1 };
  const asset = syntheticAsset({ name: `video${index}`, rate, sampleRate: 48_000, segments, qualities: 2 });
  return syntheticChannel([{ asset, cuePoints }], START);
}

test('the spans of schedules, and those of their viewers', () => {
  const shown = Array.from({ length: COUNT }, (_, index) => {
    const channel = channelOf(index);
    const viewer = viewerOf(airingOf(channel, 60), START);
    const spans = channel.programme.spansBetween(START, millis(START + 120_000));
    const [span] = spans.filter(isBreakSpan) as [BreakSpan];
    const ad = { adId: `ad${index}`, mediaId: `m${index}x250`, frames: 250 };
    const decision = { breakId: span.break.id, startsAt: span.placed.startsAt, joined: 0, ads: [ad] };
    decide(channel, viewer, span, decision);
    return [...spans, ...viewer.choices.decided.flatMap((one) => one.spans)];
  });
  expectFewClasses(shown.flat());
});

test('the clips of breaks', () => {
  const { ladder } = channelOf(0);
  const clips = Array.from({ length: COUNT }, (_, index) => {
    const ads = [{ adId: 'a', mediaId: `m${index}x100`, frames: 100 }];
    const own = { id: 'b', frames: 250, slateId: 'slate' };
    return breakClips({ breakId: 'b', startsAt: START, joined: 0, ads }, own, clipsFor(ladder)).map(({ clip }) => clip);
  });
  expect(classesOf(clips.flat()).length).toBeLessThanOrEqual(2);
});

test.each(['slate', 'content'] as const)('the spans of live channels whose breaks show %s', (fill) => {
  const rules = { fill, maxBreak: secondsToFlicks(60) };
  const breaks = [8, 20, 32, 44].map((slot) => {
    const announced = secondsToFlicks(12);
    return { slot, ends: slot + 6, announced, leadSlots: 1, hasIn: true, continues: false };
  });
  const spans = Array.from({ length: 10 }, () => {
    const feed = liveFeed(50, 2);
    const entries = writeLog(feed, { frames: 50, breaks, stretches: new Set() }, rules, 60, () => 0);
    const { programme } = liveNode(feed, entries, 0, { playlistSize: 200 }).airingAt(entries.at(-1)!.visibleAt);
    return programme.spansBetween(LIVE_START.millis, millis(LIVE_START.millis + 200_000));
  });
  expectFewClasses(spans.flat());
});

test('the spans of films', () => {
  const random = seededRandom(1);
  const spans = Array.from({ length: COUNT }, (_, index) => {
    const asset = syntheticAsset({ name: `film${index}`, segments: new Array<number>(20).fill(50), qualities: 2 });
    const title = titleOf([asset]);
    return presentationOf(title, randomBreaks(title, random), START).spans;
  });
  expectFewClasses(spans.flat());
});
