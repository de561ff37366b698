// SPDX-License-Identifier: Apache-2.0
// The markers of the test's origin state the breaks that its plan contains, as the product reads them.
import { expect, test } from 'vitest';
import { readMedia } from '../../../../src/hls/readMedia.ts';
import { collectBreaks } from '../../../../src/markers/breakFold.ts';
import { placeTags } from '../../../../src/markers/placeTags.ts';
import { type Flicks, flicks, flicksToSeconds, secondsToFlicks } from '../../../../src/time/units.ts';
import { realClock } from '../../../clock/testClock.ts';
import { behaviours } from '../breakPlan.ts';
import { startLiveOrigin } from '../liveOrigin.ts';
import { type HlsMarkers, hlsMarkers } from './hlsMarkers.ts';

const START = 1_790_000_000_000;
const SECONDS = 16;

async function breaksOf(form: HlsMarkers, behaviour: (typeof behaviours)[number]) {
  const clock = { ...realClock(), at: START };
  const breaks = { every: 80, seconds: SECONDS, first: 8, behaviour };
  const options = { hlsMarkers: form, breaks, window: 100, history: 10 };
  const origin = await startLiveOrigin({ clock: Object.assign(clock, { now: () => clock.at as never }), ...options });
  clock.at += 70_000;
  const media = readMedia(await (await fetch(`${origin.url}/v0.m3u8`)).text());
  await origin.close();
  if ('refused' in media) throw new Error(media.refused);
  let at = 0;
  const borders = [0, ...media.segments.map(({ micros }) => (at += micros))].map((micros) =>
    secondsToFlicks(micros / 1e6),
  );
  const placed = placeTags(media.markers, { borders, dates: media.segments.map((each) => each.programDateTime) });
  const seconds = (time: Flicks | undefined) => (time === undefined ? undefined : flicksToSeconds(time) - 18);
  return collectBreaks(placed, flicks(0)).breaks.map(({ at: start, until, duration }) => {
    return { at: seconds(start), until: seconds(until), duration: duration && flicksToSeconds(duration) };
  });
}

const ends: Readonly<Record<string, number | undefined>> = {
  ...{ exact: SECONDS, early: SECONDS / 2, late: 2 * SECONDS, extended: 2 * SECONDS, unknown: SECONDS },
  ...{ nested: SECONDS, twice: SECONDS, noIn: undefined, never: undefined },
};
const isUnstated = (form: HlsMarkers, behaviour: string): boolean =>
  ['never', 'unknown'].includes(behaviour) || form === 'cue-bare' || form === 'malformed';
// Without a length, the end of a nested break cannot be distinguished from that of the break around it.
const isAmbiguous = (form: HlsMarkers, behaviour: string): boolean =>
  behaviour === 'nested' && isUnstated(form, behaviour);
const cases = hlsMarkers.flatMap((form) =>
  behaviours.flatMap((behaviour) => (isAmbiguous(form, behaviour) ? [] : [[form, behaviour] as const])),
);

test.each(cases)('%s, %s', async (form, behaviour) => {
  const [found, ...more] = await breaksOf(form, behaviour);
  expect(more).toEqual([]);
  expect(found).toMatchObject({ at: 0, until: ends[behaviour] });
  if (isUnstated(form, behaviour)) expect(found!.duration).toBeUndefined();
  else expect([SECONDS, 2 * SECONDS]).toContain(found!.duration);
});
