// SPDX-License-Identifier: Apache-2.0
// What holds for the plan of any title, whatever requests its breaks, and for every presentation of that plan.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { clipsFor } from '../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { cutPointsOf, inParts } from '../../test/laws/syntheticPresentation.ts';
import { inFlicks, titleOfAll } from '../../test/laws/syntheticTitle.ts';
import { seededRandom } from '../../test/seededRandom.ts';
import { clipIdOf } from '../ads/placement/decision.ts';
import type { ContentItem } from '../channels/playlist.ts';
import { type Flicks, flicks, flicksToSeconds, millis } from '../time/units.ts';
import type { Asset } from '../timeline/asset/asset.ts';
import { MIN_CLIP_DURATION } from '../timeline/asset/clip.ts';
import { after } from '../timeline/programme/span.ts';
import type { VmapBreak } from '../vast/read/readVmap.ts';
import { applyResume } from './applyResume.ts';
import { type BreakPlan, MAX_BREAKS } from './breakPlan.ts';
import { contentTimeOf, sourceTimeOf } from './contentClock.ts';
import { type Frozen, layOut, type Presentation } from './layOut.ts';
import { cueOpportunities, planCuePoints } from './planCuePoints.ts';
import { planMarkers } from './planMarkers.ts';
import { planVmap } from './planVmap.ts';
import { contentBetween, type Title } from './title.ts';

type Random = () => number;

const shapes = fc.record({
  segments: fc.array(fc.constantFrom(5, 10, 12, 48, 50, 96, 150), { minLength: 1, maxLength: 12 }),
  audioEvery: fc.option(fc.constantFrom(1.92, 2, 3.84), { nil: undefined }),
});

const seconds = fc.double({ min: 0, max: 60, noNaN: true });

const markers = fc.array(
  fc.record({
    at: seconds,
    length: fc.option(fc.double({ min: 0, max: 12, noNaN: true }), { nil: undefined }),
    duration: fc.option(fc.constantFrom(0, 0.3, 15), { nil: undefined }),
  }),
  { maxLength: 6 },
);

const cuePoints = fc.array(
  fc.record({
    spliceTime: fc.oneof(seconds, fc.constantFrom(-1, 0)),
    maxDuration: fc.constantFrom(0.2, 0.5, 15, 30, 4000),
    maxAds: fc.integer({ min: 1, max: 4 }),
  }),
  { maxLength: 6 },
);

const offset: fc.Arbitrary<VmapBreak['timeOffset']> = fc.oneof(
  fc.record({ kind: fc.constantFrom('start' as const, 'end' as const) }),
  fc.record({ kind: fc.constant('time' as const), at: seconds.map(inFlicks) }),
  fc.record({ kind: fc.constant('percent' as const), percent: fc.double({ min: 0, max: 100, noNaN: true }) }),
  fc.record({ kind: fc.constant('position' as const), number: fc.integer({ min: 1, max: 8 }) }),
);

const vmapBreaks = fc.array(
  fc
    .record({
      timeOffset: offset,
      isLinear: fc.boolean(),
      repeatAfter: fc.option(fc.constantFrom(0.1, 3, 10).map(inFlicks), { nil: undefined }),
    })
    .map(
      ({ timeOffset, isLinear, repeatAfter }): VmapBreak => ({
        timeOffset,
        trackingEvents: [],
        extensions: [],
        breakTypes: [isLinear ? 'linear' : 'display'],
        ...(repeatAfter === undefined ? {} : { repeatAfter }),
      }),
    ),
  { maxLength: 8 },
);

type Marks = readonly { at: number; length: number | undefined; duration: number | undefined }[];

function marked(asset: Asset, list: Marks): Asset {
  const placed = list.map(({ at, length, duration }) => ({
    at: inFlicks(at),
    ...(length === undefined ? {} : { until: inFlicks(at + length) }),
    ...(duration === undefined ? {} : { duration: inFlicks(duration) }),
    source: 'EXT-X-CUE-OUT',
  }));
  return { ...asset, markers: placed.sort((a, b) => a.at - b.at) };
}

const scenes = fc.array(fc.tuple(fc.array(shapes, { minLength: 1, maxLength: 3 }), markers, cuePoints), {
  minLength: 1,
  maxLength: 3,
});

type Scene = typeof scenes extends fc.Arbitrary<infer T> ? T : never;

function sceneOf(list: Scene): { title: Title; items: ContentItem[] } {
  const assets = list.map(([parts, marks], item) => {
    const made = parts.map(({ segments, audioEvery }, part) =>
      syntheticAsset({
        name: `${item}-${part}`,
        qualities: 2,
        texts: ['en'],
        segments: [...segments, 25],
        ...(audioEvery === undefined ? {} : { audioEvery }),
      }),
    );
    return marked(made.reduce(inParts), marks);
  });
  const items = list.map(([, , cues]): ContentItem => ({ sourceType: 'url', cuePoints: cues }));
  return { title: titleOfAll(...assets), items };
}

const idsOf = ({ breaks, dropped }: BreakPlan): string[] => [...breaks, ...dropped].map(({ id }) => id).sort();

function expectSound(title: Title, { breaks, dropped }: BreakPlan): void {
  const points = new Set(cutPointsOf(title));
  let end = -Infinity;
  let isRange = false;
  for (const { id, at, until, duration } of breaks) {
    for (const point of [at, until ?? at]) expect(points.has(point), `${id} is at a cut point`).toBe(true);
    const gap = at - end;
    expect(gap >= MIN_CLIP_DURATION || (isRange && gap === 0), `${id} starts ${gap} after the one before`).toBe(true);
    if (until !== undefined) expect(duration).toBe(flicksToSeconds(flicks(until - at)));
    expect(duration).toBeGreaterThanOrEqual(0.5);
    isRange = until !== undefined;
    end = until ?? at;
    if (isRange) expect(end).toBeGreaterThan(at);
  }
  const ids = [...breaks, ...dropped].map(({ id }) => id);
  expect(new Set(ids).size, 'ids are unique').toBe(ids.length);
  expect(breaks.length).toBeLessThanOrEqual(MAX_BREAKS);
}

function expectSameClocks(title: Title, plan: BreakPlan, random: Random): void {
  const replaced = plan.breaks.reduce((sum, { at, until = at }) => sum + until - at, 0);
  const end = contentTimeOf(plan, title.duration);
  expect(end + replaced, 'content and ranges add up').toBe(title.duration);
  let last = -1;
  for (const share of [0, 1, ...Array.from({ length: 8 }, random)].sort((a, b) => a - b)) {
    const content = flicks(Math.floor(share * end));
    const source = sourceTimeOf(plan, content);
    expect(contentTimeOf(plan, source)).toBe(content);
    expect(source).toBeGreaterThan(last);
    last = source - 1;
    for (const { at, until = at } of plan.breaks) expect(source > at && source < until, 'not in a range').toBe(false);
  }
}

/** A random choice of the plan's insertions with ads; its ranges with or without ads. */
function frozenFrom({ breaks }: BreakPlan, random: Random): Frozen {
  const chosen = breaks.filter(({ until }) => until !== undefined || random() < 0.7);
  return {
    breaks: chosen.map(({ id, at, until }) => {
      const count = until === undefined ? 1 + Math.floor(random() * 2) : Math.floor(random() * 3);
      const ads = Array.from({ length: count }, (_, index) => {
        const frames = 25 + Math.floor(random() * 400);
        return { adId: clipIdOf(id, index), mediaId: `ad${index}x${frames}`, frames };
      });
      return { id, at, ...(until === undefined ? {} : { until }), ads };
    }),
  };
}

/** The segments of these clips in one rung, in playing order. */
const segmentsOf = (
  clips: readonly { firsts: readonly number[]; ends: readonly number[]; part: number; asset: Asset }[],
  rung: number,
) =>
  clips.flatMap(({ asset, part, firsts, ends }) =>
    Array.from({ length: ends[rung]! - firsts[rung]! }, (_, index) => `${asset.id} ${part} ${firsts[rung]! + index}`),
  );

function expectTiled(title: Title, frozen: Frozen, { spans, breaks, duration, contentDuration }: Presentation): void {
  const zero = { millis: millis(1_700_000_000_123), rest: flicks(0) };
  const counts = title.ladder.rungs.map(() => 0);
  let elapsed = 0;
  spans.forEach(({ placed: { clip, start }, numbers, discontinuity, within }, index) => {
    expect(start, 'spans tile').toEqual(after(zero, elapsed));
    expect(numbers, 'numbers have no gap').toEqual(counts);
    expect(discontinuity).toBe(index);
    clip.cells.forEach(({ first, end }, rung) => {
      expect(end - first, 'each rung has a segment').toBeGreaterThan(0);
      counts[rung]! += end - first;
    });
    if (within === undefined) expect(clip.duration, 'no content is short').toBeGreaterThanOrEqual(MIN_CLIP_DURATION);
    elapsed += clip.duration;
  });
  expect(duration).toBe(elapsed);
  expect(duration).toBe(contentDuration + breaks.reduce((sum, one) => sum + one.duration, 0));
  expect(contentDuration).toBe(contentTimeOf(frozen, title.duration));
  let inBreaks = 0;
  for (const [index, { contentTime, streamTime, duration: length }] of breaks.entries()) {
    expect(contentTime, 'content time').toBe(contentTimeOf(frozen, frozen.breaks[index]!.at));
    expect(streamTime, 'stream time').toBe(contentTime + inBreaks);
    inBreaks += length;
  }
  // Content that is not replaced is shown once, in order, and nothing else.
  const shown = spans.map(({ placed: { clip } }) => clip).filter(({ kind }) => kind === 'content');
  let from: Flicks = flicks(0);
  const expected = [...frozen.breaks.filter(({ until, ads }) => until !== undefined && ads.length > 0)].flatMap(
    ({ at, until }) => {
      const clips = contentBetween(title, from, at);
      from = until!;
      return clips;
    },
  );
  expected.push(...contentBetween(title, from, title.duration));
  title.ladder.rungs.forEach(({ id }, rung) => {
    expect(segmentsOf(shown, rung), `content in ${id}`).toEqual(segmentsOf(expected, rung));
  });
}

test('breaks are at cut points with content between them, and every presentation of a plan shows all content once', () => {
  fc.assert(
    fc.property(scenes, vmapBreaks, fc.integer(), (scene, document, seed) => {
      const { title, items } = sceneOf(scene);
      const random = seededRandom(seed);
      const vmap = planVmap(title, document, undefined, cueOpportunities(title, items));
      const numbers = new Set([...vmap.sources.values()].flat());
      expect(numbers, 'each break of the document is planned or dropped').toEqual(new Set(document.keys()));
      for (const plan of [planCuePoints(title, items), planMarkers(title), vmap.plan]) {
        expectSound(title, plan);
        const policy = random() < 0.5 ? 'play' : 'skip';
        const points = cutPointsOf(title);
        const bookmark = contentTimeOf(plan, flicks(points[Math.floor(random() * points.length)]!));
        const resumed = applyResume(plan, title, flicksToSeconds(bookmark) + random() * random(), policy);
        expect(idsOf(resumed), 'no break is lost').toEqual(idsOf(plan));
        for (const one of [plan, resumed]) {
          expectSound(title, one);
          expectSameClocks(title, one, random);
          const frozen = frozenFrom(one, random);
          expectTiled(title, frozen, layOut(title, frozen, clipsFor(title.ladder), millis(1_700_000_000_123)));
        }
      }
    }),
    lawRuns(30),
  );
});
