// SPDX-License-Identifier: Apache-2.0
// The laws of published manifests while an operator inserts breaks and blackouts into a schedule, ends and cancels them, and
// edits the list. Two nodes read each edition at different times.

import fc from 'fast-check';
import { test } from 'vitest';
import { viewAt } from '../../src/playback/view/view.ts';
import { millis } from '../../src/time/units.ts';
import { lawRuns } from '../lawRuns.ts';
import { seededRandom } from '../seededRandom.ts';
import { type Order, operated } from './insertedBreaks.ts';
import { randomDecider } from './randomDecider.ts';
import { ChannelWitness, expectAligned } from './shared/channelWitness.ts';
import {
  airingOf,
  foldDecisions,
  hlsOf,
  mpdOf,
  placeDecisions,
  type SyntheticChannel,
  type SyntheticItem,
  syntheticChannel,
  viewerOf,
} from './syntheticChannel.ts';
import { syntheticAsset } from './syntheticMedia.ts';
import { ColumnWitness, RowsWitness } from './witness.ts';

const START = Date.parse('2026-03-01T00:00:00.123Z');
const DEPTH = 40_000;
const LEAD = 3000;
/** The latest time after which a node has read an edition. */
const READ_WITHIN = 2000;

const lists = fc.array(
  fc.record({
    segmentSeconds: fc.constantFrom(1.92, 2, 6),
    count: fc.integer({ min: 2, max: 12 }),
    sampleRate: fc.constantFrom(48_000, 44_100),
    hasText: fc.boolean(),
    cues: fc.array(
      fc.record({ spliceTime: fc.integer({ min: 0, max: 40 }), maxDuration: fc.constantFrom(0.5, 5, 10.1234) }),
      { maxLength: 2 },
    ),
  }),
  { minLength: 1, maxLength: 3 },
);

const itemsOf = (
  list: typeof lists extends fc.Arbitrary<infer List> ? List : never,
  rate: { n: number; d: number },
): SyntheticItem[] =>
  list.map(({ segmentSeconds, count, sampleRate, hasText, cues }, index) => {
    const frames = Math.round((segmentSeconds * rate.n) / rate.d);
    const name = `i${index}-${rate.n}-${frames}-${count}-${sampleRate}-${hasText}`;
    const texts = hasText ? ['en'] : [];
    const segments = new Array<number>(count).fill(frames);
    return { asset: syntheticAsset({ name, rate, sampleRate, segments, qualities: 2, texts }), cuePoints: cues };
  });

/** What an operator does at a poll. */
function operate(orders: readonly Order[], now: number, random: () => number): Order[] {
  const what = random();
  const id = `o${orders.length}`;
  const startsAt = Math.floor(now + (random() < 0.5 ? 0 : random() * 60_000));
  if (what < 0.45) return [...orders, { id, kind: 'ads', startsAt, duration: 1 + Math.floor(random() * 400) / 10 }];
  if (what < 0.6) {
    const duration = random() < 0.5 ? {} : { duration: 1 + random() * 90 };
    return [...orders, { id, kind: 'blackout', startsAt, ...duration }];
  }
  const open = orders.filter(({ isOver }) => !isOver);
  const chosen = open[Math.floor(random() * open.length)];
  return orders.map((one) => (one === chosen ? { ...one, isOver: true } : one));
}

test('laws 1 to 8 hold with any breaks that are inserted, ended and cancelled, edits and nodes', async () => {
  const rates = fc.constantFrom({ n: 24_000, d: 1001 }, { n: 25, d: 1 }, { n: 30_000, d: 1001 });
  await fc.assert(
    fc.asyncProperty(lists, lists, rates, fc.integer(), async (list, other, rate, seed) => {
      const random = seededRandom(seed);
      let planned = syntheticChannel(itemsOf(list, rate), START);
      let orders: Order[] = [];
      /** What each node has read, and what it reads when. */
      const nodes: { channel: SyntheticChannel; coming: { at: number; channel: SyntheticChannel }[] }[] = [
        { channel: planned, coming: [] },
        { channel: planned, coming: [] },
      ];
      let read = planned;
      const decider = randomDecider(() => read, random);
      let now = START + DEPTH + Math.floor(random() * 60_000);
      const viewer = viewerOf(airingOf(planned, DEPTH / 1000), now);
      const columns = planned.ladder.rungs.map(({ id }) => new ColumnWitness(id, planned.ladder.frameRate));
      const rows = new RowsWitness();
      const everyone = new ChannelWitness(planned.ladder);
      for (let poll = 0; poll < 90; poll += 1) {
        if (random() < 0.15) orders = operate(orders, now, random);
        const edit = random() < 0.03 ? itemsOf(random() < 0.5 ? other : [...list, ...other], rate) : undefined;
        const next = operated(planned, orders, now + LEAD, edit);
        if (next !== planned) {
          for (const node of nodes) node.coming.push({ at: now + random() * READ_WITHIN, channel: next });
        }
        planned = next;
        for (const node of nodes) {
          // A node that has read an edition has read those before it.
          const known = node.coming.findLastIndex(({ at }) => at <= now);
          node.channel = node.coming[known]?.channel ?? node.channel;
          node.coming = node.coming.slice(known + 1);
        }
        read = nodes[random() < 0.5 ? 0 : 1]!.channel;
        placeDecisions(read, viewer);
        foldDecisions(read, viewer, now - DEPTH - 240_000);
        const view = await viewAt(airingOf(read, DEPTH / 1000), viewer, decider, millis(now));
        const seen = columns.map((column, rung) => column.check(hlsOf(view, rung), now));
        const periods = rows.check(mpdOf(view));
        expectAligned(planned.ladder, seen, periods, now);
        const [here, there] = nodes.map((node) => airingOf(node.channel, DEPTH / 1000));
        everyone.check(here!, now, there);
        now = Math.floor(now + 300 + random() * 2600);
      }
    }),
    lawRuns(5),
  );
}, 400_000);
