// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { inFlicks, titleOfAll, twoSecondAsset } from '../../test/laws/syntheticTitle.ts';
import { naming } from '../../test/naming.ts';
import type { AdMarker } from '../timeline/asset/asset.ts';
import { planMarkers } from './planMarkers.ts';

type Times = { readonly until?: number; readonly duration?: number };

const marker = (at: number, { until, duration }: Times = {}): AdMarker => ({
  at: inFlicks(at),
  ...(until === undefined ? {} : { until: inFlicks(until) }),
  ...(duration === undefined ? {} : { duration: inFlicks(duration) }),
  source: 'EXT-X-CUE-OUT',
});
const titleWith = (...lists: readonly (readonly AdMarker[])[]) =>
  titleOfAll(...lists.map((markers, index) => twoSecondAsset(`item${index}`, 10, { markers })));
const plan = (...markers: readonly AdMarker[]) => planMarkers(titleWith(markers));
const common = { origin: 'marker', warnings: [] };

test('markers without an end are insertions in source time, limited by their announced length', () => {
  const { breaks } = planMarkers(titleWith([marker(0, { duration: 15 })], [marker(4.9, { duration: 60 })]));
  expect(breaks).toEqual([
    { ...common, id: '0-1', at: 0, requested: 0, duration: 15 },
    { ...common, id: '0-2', at: inFlicks(24), requested: inFlicks(24.9), duration: 60 },
  ]);
});

test('an insertion without a length is open, unless the channel limits breaks', () => {
  expect(plan(marker(6)).breaks).toMatchObject([{ duration: 30, isOpen: true }]);
  expect(plan(marker(6, { duration: 0 })).breaks).toMatchObject([{ duration: 30, isOpen: true }]);
  const { breaks } = planMarkers(titleWith([marker(6)]), 45);
  expect(breaks).toEqual([{ ...common, id: '0-1', at: inFlicks(6), requested: inFlicks(6), duration: 45 }]);
});

test('both ends of a replaced range snap to cut points, and it lasts as long as the content between them', () => {
  const { breaks } = plan(marker(5.2, { until: 14.9, duration: 30 }));
  expect(breaks).toEqual([
    { ...common, id: '0-1', at: inFlicks(6), until: inFlicks(14), requested: inFlicks(5.2), duration: 8 },
  ]);
  expect(plan(marker(14, { until: 99 })).breaks).toMatchObject([{ until: inFlicks(20), warnings: [naming('79.0')] }]);
});

test('a range whose ends snap to one cut point is an insertion of its length', () => {
  expect(plan(marker(3.5, { until: 4.5 })).breaks).toEqual([
    { ...common, id: '0-1', at: inFlicks(4), requested: inFlicks(3.5), duration: 1 },
  ]);
  expect(plan(marker(3.5, { until: 4.5, duration: 20 })).breaks).toMatchObject([{ duration: 20 }]);
  expect(plan(marker(3.5, { until: 4.5, duration: 0.3 })).breaks).toMatchObject([{ duration: 1 }]);
  expect(plan(marker(4, { until: 4.04 })).breaks).toMatchObject([{ duration: 30, isOpen: true }]);
});

test('overlapping ranges are one range, and insertions within one belong to it', () => {
  const { breaks } = plan(marker(4, { until: 8 }), marker(6, { until: 12 }), marker(10, { duration: 60 }), marker(16));
  expect(breaks).toEqual([
    {
      id: '0-1',
      origin: 'marker',
      at: inFlicks(4),
      until: inFlicks(12),
      requested: inFlicks(4),
      duration: 8,
      warnings: [naming('3', '4.0', '10.0', '8')],
    },
    { ...common, id: '0-2', at: inFlicks(16), requested: inFlicks(16), duration: 30, isOpen: true },
  ]);
  expect(plan(marker(4), marker(4, { until: 8 })).breaks).toMatchObject([{ until: inFlicks(8), duration: 4 }]);
});

test('ranges that touch are two breaks, and so is an insertion at the end of one', () => {
  const { breaks } = plan(marker(4, { until: 8 }), marker(8, { until: 12 }), marker(12));
  const seconds = breaks.map(
    ({ at, until }) => `${at / inFlicks(1)}-${until === undefined ? '' : until / inFlicks(1)}`,
  );
  expect(seconds).toEqual(['4-8', '8-12', '12-']);
});

test('insertions that land on one cut point are one break', () => {
  expect(plan(marker(3.5, { duration: 15 }), marker(4.5, { duration: 20 })).breaks).toMatchObject([{ duration: 35 }]);
  expect(plan(marker(4, { duration: 15 }), marker(4)).breaks).toMatchObject([{ duration: 45, isOpen: true }]);
});

test('drops markers past the end and announced lengths under half a second', () => {
  const { breaks, dropped } = plan(marker(8, { duration: 0.2 }), marker(20.5), marker(21.5));
  expect(breaks).toMatchObject([{ id: '0-1', at: inFlicks(20) }]);
  const [short, late] = [naming('EXT-X-CUE-OUT', '8.0', '0.200'), naming('EXT-X-CUE-OUT', '21.5', '20.0')];
  expect(dropped).toEqual([
    { id: '0-2', origin: 'marker', requested: inFlicks(8), code: 'TOO_SHORT', text: short },
    { id: '0-3', origin: 'marker', requested: inFlicks(21.5), code: 'PAST_THE_END', text: late },
  ]);
});
