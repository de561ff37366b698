// SPDX-License-Identifier: Apache-2.0
// The events of the test's origin state the breaks that its plan contains, as the product reads them.
import { expect, test } from 'vitest';
import { createDashOriginReader } from '../../../../src/ingest/live/dash/createDashOriginReader.ts';
import { createDashSampler } from '../../../../src/ingest/live/dash/sampleDashOrigin.ts';
import { collectBreaks } from '../../../../src/markers/breakFold.ts';
import { flicks, flicksToSeconds, millisToFlicks } from '../../../../src/time/units.ts';
import { after } from '../../../../src/timeline/programme/span.ts';
import { realClock } from '../../../clock/testClock.ts';
import { plainOrigin } from '../../../servers/folderServer.ts';
import { type BreakBehaviour, behaviours } from '../breakPlan.ts';
import { type LiveOriginSetup, startLiveOrigin } from '../liveOrigin.ts';
import { type DashMarkers, dashMarkers } from './dashMarkers.ts';

const START = 1_790_000_000_000;
const SECONDS = 16;
/** After the start. */
const BREAK_AT = 8;

async function readBreaks(setup: Partial<LiveOriginSetup>) {
  const clock = { ...realClock(), at: START };
  Object.assign(clock, { now: () => clock.at as never });
  const origin = await startLiveOrigin({ clock, window: 30, history: 40, ...setup });
  const sampled = await createDashSampler(clock.now)(origin.dashUrl, plainOrigin);
  if ('refused' in sampled) throw new Error(sampled.refused);
  const rungs = sampled.renditions.map(({ id, ...rendition }) => ({ ...rendition, key: id }));
  const feed = { url: origin.dashUrl, rungs: rungs as never };
  const reader = createDashOriginReader({ origin: plainOrigin, feed, now: clock.now });
  const signals = new Map<string, Parameters<typeof collectBreaks>[0][number]>();
  for (; clock.at < START + 60_000; clock.at += 2000) {
    const read = await reader.read();
    if (read === undefined) continue;
    if ('refused' in read) throw new Error(read.refused);
    for (const { number, offset, ...signal } of read.signals) {
      const { startsAt } = read.renditions[0]!.segments.find((segment) => segment.number === number) ?? {};
      const place = after(startsAt!, offset);
      const at = flicks(millisToFlicks(place.millis - START) + place.rest);
      // An event that is stated again with another duration replaces the one before it.
      signals.set(`${signal.kind} ${signal.hint} ${at}`, { ...signal, at });
    }
  }
  await origin.close();
  const ordered = [...signals.values()].sort((a, b) => a.at - b.at);
  const { breaks } = collectBreaks(ordered, flicks(0));
  return breaks.map(({ at, until, duration }) => ({
    at: flicksToSeconds(at) - BREAK_AT,
    ...(until === undefined ? {} : { until: flicksToSeconds(until) - BREAK_AT }),
    ...(duration === undefined ? {} : { duration: flicksToSeconds(duration) }),
  }));
}

/** In DASH, the announced length is the end where nothing else is stated. */
const ends: Readonly<Partial<Record<BreakBehaviour, number>>> = {
  ...{ exact: SECONDS, early: SECONDS / 2, late: 2 * SECONDS, extended: 2 * SECONDS, unknown: SECONDS, noIn: SECONDS },
};
const cases = dashMarkers.flatMap((form) =>
  behaviours.flatMap((behaviour) => (behaviour in ends ? [[form, behaviour] as const] : [])),
);

test.each<readonly [DashMarkers, BreakBehaviour]>(cases)('%s, %s', async (form, behaviour) => {
  const breaks = { every: 400, seconds: SECONDS, first: BREAK_AT, behaviour };
  const [found, ...more] = await readBreaks({ dashMarkers: form, breaks, mediaTime: 'unix' });
  expect(more).toEqual([]);
  expect(found!.at).toBeCloseTo(0, 3);
  expect(found!.until ?? found!.at + found!.duration!).toBeCloseTo(ends[behaviour]!, 3);
});
