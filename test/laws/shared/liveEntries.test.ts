// SPDX-License-Identifier: Apache-2.0
// The laws of published manifests while the origin of a live entry is put on air: with breaks, outages, restarts of the recorder,
// and edits of the schedule.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EditionRecord } from '../../../src/channels/schedule/airing.ts';
import type { LiveFeed } from '../../../src/live/feed.ts';
import { applyEntry } from '../../../src/live/programme/applyEntry.ts';
import { initialState, type LiveState } from '../../../src/live/programme/liveState.ts';
import type { LiveRules } from '../../../src/live/slot.ts';
import { editionsWith, liveEntryOn, nextOnAir } from '../../../src/planning/schedule/recordLive.ts';
import { viewAt } from '../../../src/playback/view/view.ts';
import { flicks, millis, secondsToFlicks } from '../../../src/time/units.ts';
import { spanEnd, spanStart } from '../../../src/timeline/programme/span.ts';
import { lawRuns } from '../../lawRuns.ts';
import { seededRandom } from '../../seededRandom.ts';
import { currentOf } from '../insertedBreaks.ts';
import { randomDecider } from '../randomDecider.ts';
import {
  airingOf,
  compiled,
  foldDecisions,
  hlsOf,
  mpdOf,
  placeDecisions,
  type SyntheticChannel,
  viewerOf,
} from '../syntheticChannel.ts';
import { liveFeed, mediaOf, type OriginPlan, writeLog } from '../syntheticLive.ts';
import { ColumnWitness, RowsWitness } from '../witness.ts';
import { ChannelWitness, expectAligned } from './channelWitness.ts';
import { begun, ladder, replanned, START, slate, type TestEntry, timedList } from './syntheticSchedule.ts';

const DEPTH = 40_000;
const LEAD = 3000;
const FRAME_MS = 40;
const LIVE_SECONDS = 90;
const STARTS = 70;

const list: TestEntry[] = [
  { id: 'before', asset: 0, start: 0, breaks: [{ spliceTime: 20, maxDuration: 10 }] },
  { id: 'match', asset: 0, start: STARTS, length: LIVE_SECONDS, isLive: true, breaks: [] },
  { id: 'after', asset: 1, start: STARTS + LIVE_SECONDS, breaks: [] },
];
/** With another film after it, and a shorter live entry. */
const other: TestEntry[] = [
  list[0]!,
  { ...list[1]!, length: LIVE_SECONDS - 20 },
  { id: 'news', asset: 2, start: STARTS + LIVE_SECONDS - 20, breaks: [] },
];

const plans = fc.record({
  frames: fc.constantFrom(48, 50, 75),
  breaks: fc
    .array(
      fc.record({ gap: fc.integer({ min: 4, max: 20 }), slots: fc.integer({ min: 3, max: 8 }), open: fc.boolean() }),
      {
        maxLength: 3,
      },
    )
    .map((made) => {
      let slot = 20;
      return made.map(({ gap, slots, open }) => {
        slot += gap + slots;
        return { slots, open, slot: slot - slots };
      });
    }),
  stretches: fc.array(fc.integer({ min: 1, max: 80 }), { maxLength: 3 }),
  drift: fc.constantFrom(0, 1),
});

function originOf({ frames, breaks, stretches, drift }: typeof plans extends fc.Arbitrary<infer Made> ? Made : never) {
  const length = secondsToFlicks(frames / 25);
  const plan: OriginPlan = {
    frames,
    drift,
    stretches: new Set(stretches),
    breaks: breaks.map(({ slot, slots, open }) => ({
      slot,
      ends: slot + slots,
      ...(open ? {} : { announced: flicks(slots * length) }),
    })),
  };
  return plan;
}

/** As the store returns it. */
const stored = (record: EditionRecord): EditionRecord => JSON.parse(JSON.stringify(record));

test('laws 1 to 8 hold while a live entry is on air, and it starts within a frame', async () => {
  await fc.assert(
    fc.asyncProperty(plans, fc.integer(), fc.boolean(), async (made, seed, isCalm) => {
      const random = seededRandom(seed);
      const plan = originOf(made);
      const rungs = liveFeed(plan.frames, 1).rungs;
      const base: LiveFeed = { ...liveFeed(plan.frames, 1), ladder, rungs };
      expect(rungs.map(({ kind }) => kind)).toEqual(ladder.rungs.map(({ kind }) => kind));
      const rules: LiveRules = { fill: 'slate', maxBreak: secondsToFlicks(60) };
      const log = writeLog(base, plan, rules, Math.ceil((STARTS + LIVE_SECONDS) / (plan.frames / 25)) + 10, () =>
        Math.floor(random() * 1500),
      );
      let life = 0;
      let state: LiveState = initialState(base, mediaOf(base), 120_000);
      let applied = 0;
      const read = (now: number) => {
        for (; applied < log.length && log[applied]!.visibleAt <= now; applied += 1)
          state = applyEntry(state, log[applied]!);
      };
      let schedule = timedList(list, START + 3_600_000);
      let channel: SyntheticChannel = begun(schedule, START - 60_000);
      const decider = randomDecider(() => channel, random);
      const viewer = viewerOf(airingOf(channel, DEPTH / 1000), START);
      const columns = ladder.rungs.map(({ id }) => new ColumnWitness(id, ladder.frameRate));
      const rows = new RowsWitness();
      const everyone = new ChannelWitness(ladder);
      let pausedUntil = 0;
      for (
        let now = START;
        now < START + (STARTS + LIVE_SECONDS + 30) * 1000;
        now += 500 + Math.floor(random() * 600)
      ) {
        read(now);
        if (!isCalm && random() < 0.02) pausedUntil = now + random() * 30_000;
        if (!isCalm && random() < 0.01) {
          life += 1;
          state = { ...state, feed: { ...base, life: `life${life}` } };
        }
        if (!isCalm && random() < 0.01) schedule = timedList(random() < 0.5 ? list : other, START + 3_600_000);
        const before = channel;
        channel = replanned(channel, schedule, now);
        if (channel !== before) expect(replanned(channel, schedule, now).records.length).toBe(channel.records.length);
        const lineup = currentOf(channel);
        const entry = now < pausedUntil ? undefined : liveEntryOn(lineup, millis(now), millis(now + 60_000));
        if (entry !== undefined) expect(Math.abs(entry.from - START - STARTS * 1000)).toBeLessThanOrEqual(FRAME_MS);
        const openLength = secondsToFlicks(12);
        const next = entry && nextOnAir(lineup, entry, { state, openLength }, { now: millis(now), lead: LEAD });
        const appended = entry && next && editionsWith(lineup, { entry, next, feed: state.feed, slate }, schedule);
        if (appended !== undefined && next !== undefined) {
          const kept = channel.records.slice(0, next.left.index + 1);
          channel = compiled({ ...channel, records: [...kept, ...appended.map(({ record }) => stored(record))] });
          const again = replanned(channel, schedule, now);
          expect(again.records.length, 'what is on air is what the schedule says').toBe(channel.records.length);
        }
        placeDecisions(channel, viewer);
        foldDecisions(channel, viewer, now - DEPTH - 240_000);
        const view = await viewAt(airingOf(channel, DEPTH / 1000), viewer, decider, millis(now));
        const seen = columns.map((column, rung) => column.check(hlsOf(view, rung), now));
        expectAligned(ladder, seen, rows.check(mpdOf(view)), now);
        everyone.check(airingOf(channel, DEPTH / 1000), now, airingOf(channel, DEPTH / 1000));
      }
      const spans = channel.programme.spansBetween(millis(START), millis(START + (STARTS + LIVE_SECONDS) * 1000));
      for (const [index, span] of spans.slice(1).entries()) expect(spanStart(span)).toBe(spanEnd(spans[index]!));
      const live = spans.filter(({ stretch }) => stretch !== undefined);
      // The entry waits for content after a break.
      const seconds = plan.frames / 25;
      const isClear = plan.breaks.every(({ slot, ends }) => ends * seconds < STARTS - 25 || slot * seconds > STARTS);
      if (!isCalm || !isClear) return;
      expect(Math.abs(spanStart(live[0]!) - START - STARTS * 1000)).toBeLessThanOrEqual(FRAME_MS);
      const stretches = new Set(live.map(({ stretch }) => stretch?.id));
      expect(new Set(live.map(({ discontinuity }) => discontinuity)).size).toBe(stretches.size);
    }),
    lawRuns(5),
  );
}, 400_000);
