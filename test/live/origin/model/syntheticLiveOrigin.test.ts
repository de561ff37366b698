// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { OriginSegment } from '../../../../src/live/origin.ts';
import { seededRandom } from '../../../seededRandom.ts';
import { syntheticLiveOrigin } from './syntheticLiveOrigin.ts';

const FROM = 1_790_000_000_000;

test('segments are the same in every reading, without gaps in their numbers', () => {
  const problems: string[] = [];
  for (let seed = 1; seed <= 30; seed += 1) {
    const origin = syntheticLiveOrigin(seededRandom(seed), FROM, { seconds: 300 });
    const seen = new Map<string, OriginSegment>();
    for (let at = FROM + 20_000; at < FROM + 300_000; at += 3370) {
      for (const reader of ['a', 'b']) {
        for (const { key, segments } of origin.read(at, reader)?.renditions ?? []) {
          for (const [index, segment] of segments.entries()) {
            if (segment.number !== segments[0]!.number + index) problems.push(`${seed} ${key} ${segment.number}`);
            const known = seen.get(segment.media.url) ?? segment;
            if (!isDeepStrictEqual(known, segment)) problems.push(`${seed} ${segment.media.url}`);
            seen.set(segment.media.url, segment);
          }
        }
      }
    }
    expect(seen.size).toBeGreaterThan(20);
  }
  expect(problems).toEqual([]);
});

test('every break is marked at its place', () => {
  let [count, ends] = [0, 0];
  for (let seed = 1; seed <= 20; seed += 1) {
    const origin = syntheticLiveOrigin(seededRandom(seed), FROM, { seconds: 600, hasTroubles: false, dates: 'all' });
    const outs = new Set<number>();
    const ins = new Set<number>();
    for (let at = FROM + 10_000; at < FROM + 600_000; at += 900) {
      const { renditions, signals } = origin.read(at) ?? { renditions: [], signals: [] };
      for (const { kind, number, offset } of signals) {
        const holder = renditions[0]!.segments.find((segment) => segment.number === number)!;
        const place = Math.round(holder.startsAt!.millis + (holder.startsAt!.rest + offset) / 705_600);
        (kind === 'out' ? outs : ins).add(place);
      }
    }
    const isSeen = (places: ReadonlySet<number>, at: number) => [-1, 0, 1].some((by) => places.has(at + by));
    for (const { startsAt, endsAt, isEndMarked } of origin.truth) {
      if (startsAt.millis > FROM + 560_000) continue;
      expect(isSeen(outs, startsAt.millis), `seed ${seed}`).toBe(true);
      if (isEndMarked && endsAt!.millis < FROM + 580_000)
        expect(isSeen(ins, endsAt!.millis), `seed ${seed}`).toBe(true);
      count += 1;
      ends += isEndMarked ? 1 : 0;
    }
  }
  expect(count).toBeGreaterThan(50);
  expect(ends).toBeGreaterThan(20);
});
