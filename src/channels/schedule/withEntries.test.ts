// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { clipsFor, plansOf } from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { millis } from '../../time/units.ts';
import { ladderOf } from '../../timeline/ladder/ladderOf.ts';
import { type Edition, layCycle, spanAt } from './edition.ts';
import { withEntries } from './withEntries.ts';

const asset = syntheticAsset({ name: 'film', segments: new Array(10).fill(50) });
const ladder = ladderOf([asset]);
const cuePoints = [{ spliceTime: 10, maxDuration: 10 }];
const plans = plansOf(
  [0, 1, 2, 3].map(() => ({ asset, cuePoints })),
  ladder,
  clipsFor(ladder),
);
const edition = (slots: typeof plans): Edition => ({
  number: 0,
  from: millis(0),
  base: { segments: ladder.rungs.map(() => 0), discontinuities: 0 },
  ...layCycle(slots),
});
const own = { intro: 'https://e.test/in.mp4' };
const entries = [
  { id: 'own', from: millis(0), bumpers: own },
  { id: 'plain', from: millis(30_000) },
  { id: 'none', from: millis(60_000), bumpers: {} },
  null,
];
const bumpersOf = (made: Edition) =>
  made.slots.flatMap((_, position) => {
    const { break: one } = spanAt(made, position);
    return one === undefined ? [] : [one.bumpers];
  });

test('a break carries the bumpers of its entry, and content carries none', () => {
  const made = withEntries(edition(plans), entries, undefined);
  expect(bumpersOf(made)).toEqual([{ entryId: 'own', ...own }, undefined, { entryId: 'none' }, undefined]);
  expect(made.slots.filter(({ break: one, bumpers }) => one === undefined && bumpers !== undefined)).toEqual([]);
});

test('filler after an entry has the bumpers of the channel, and an inserted break those of the entry that it interrupts', () => {
  const filler = plans.slice(0, 3).map((plan) => ({ ...plan, follows: 0 }));
  expect(bumpersOf(withEntries(edition(filler), entries, undefined))).toEqual([undefined]);
  const [first, adBreak] = plans;
  const inserted = { ...adBreak!, inserted: { id: 'by-hand', played: 0 } };
  expect(bumpersOf(withEntries(edition([first!, inserted]), entries, undefined))).toEqual([{ entryId: 'own', ...own }]);
  expect(bumpersOf(withEntries(edition([inserted, first!]), entries, undefined))).toEqual([undefined]);
});
