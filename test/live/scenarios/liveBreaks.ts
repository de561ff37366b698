// SPDX-License-Identifier: Apache-2.0
// Breaks of live origins in every form: viewers see their ads from the segment at which the break starts to the one at which
// the origin returns.
import { expect } from 'vitest';
import { isOurs, mediaName } from '../../laws/readBack.ts';
import { decodeSpans, overlapOf } from '../decode.ts';
import { airLive, beaconsOf, EVENTS, offerSpots, segmentsOf, startOrigin } from '../liveStage.ts';
import { expectExactBreaks, type MeantBreak, meantBreaks, seenBreaks } from '../liveTruth.ts';
import type { LiveOrigin } from '../origin/liveOrigin.ts';
import { type Stage, type TracedBreak, titlesOf } from '../stage.ts';
import type { Viewer } from '../viewer.ts';
import { EVERY, type LiveBreakCase, SECONDS } from './liveBreakCases.ts';

/** The parts of a break in a viewer's trace, in order. */
const partsOf = (traced: readonly TracedBreak[], { startsAt, endsAt }: MeantBreak): TracedBreak[] =>
  traced.filter(({ at }) => at >= startsAt - 30 && at < endsAt - 30);

const isCut = ({ reason }: TracedBreak['ads'][number]): boolean => reason?.code === 'EARLY_RETURN';

/** Complete ads send each of their beacons once; ads that were cut do not send the last one. */
export async function expectBeacons(stage: Stage, viewer: Viewer, parts: readonly TracedBreak[]): Promise<void> {
  const ads = parts.flatMap(({ id, ads: own }) => own.map((ad, index) => ({ ad, key: `${id}-${index}` })));
  const complete = ads.filter(({ ad }) => ad.outcome === 'stitched' && !isCut(ad)).map(({ key }) => key);
  const cut = ads.filter(({ ad }) => isCut(ad)).map(({ key }) => key);
  const sent = async () => (await beaconsOf(stage, viewer)).filter(({ outcome }) => outcome === 'sent');
  const of = (all: Awaited<ReturnType<typeof sent>>, key: string) =>
    all.flatMap(({ ad, event }) => (ad === key ? [event] : []));
  await viewer.until('complete ads have sent their beacons', async () => {
    const all = await sent();
    return complete.every((key) => of(all, key).length >= EVENTS.length);
  });
  const all = await sent();
  for (const key of complete) expect([key, ...of(all, key).sort()]).toEqual([key, ...[...EVENTS].sort()]);
  for (const key of cut) expect(of(all, key)).not.toContain('complete');
  expect(new Set(all.map(({ ad, event }) => `${ad} ${event}`)).size).toBe(all.length);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

async function expectTraces(stage: Stage, viewer: Viewer, seen: readonly MeantBreak[], one: LiveBreakCase) {
  const secondsIn = (traced: readonly TracedBreak[], meant: MeantBreak) =>
    sum(partsOf(traced, meant).map(({ duration }) => duration));
  const announced = (meant: MeantBreak) => (one.fillsContent ? SECONDS : (meant.endsAt - meant.startsAt) / 1000);
  // The record of a cut break is corrected within seconds.
  await viewer.until(
    'the trace states the lengths that were shown',
    async () => {
      const traced = await stage.breaks(viewer);
      return seen.every((meant) => Math.abs(secondsIn(traced, meant) - announced(meant)) < 0.05);
    },
    () => JSON.stringify(seen),
  );
  const traced = await stage.breaks(viewer);
  for (const meant of seen) expect(titlesOf(partsOf(traced, meant)[0]!)).toEqual(['Ad four', 'Ad six']);
  await expectBeacons(
    stage,
    viewer,
    seen.flatMap((meant) => partsOf(traced, meant)),
  );
}

/**
 * Every span of the first video and the first audio decodes, to the number of frames that its durations state: picture and
 * sound have the same length.
 */
async function expectDecodable(viewer: Viewer, { broadcast }: LiveOrigin): Promise<void> {
  const { frameRate, sampleRate, audio } = broadcast.loop.shape;
  const rate = frameRate.n / frameRate.d;
  const samples = audio === 'ac3' ? 1536 : 1024;
  const frame = samples / sampleRate;
  for (const rung of viewer.rungs.filter((name) => /^[va]0/.test(name))) {
    const spans = await decodeSpans(viewer, rung);
    // Ads and slate have the codecs of the content.
    expect(new Set(spans.map(({ formats }) => JSON.stringify(formats))).size).toBe(1);
    for (const span of spans) {
      const { seconds, frames, decoderErrors, uris } = span;
      expect([uris, decoderErrors]).toEqual([uris, '']);
      if (frames.video !== undefined) expect([uris, frames.video]).toEqual([uris, Math.round(seconds * rate)]);
      if (frames.audio === undefined) continue;
      expect(Math.abs((frames.audio - overlapOf(span)) * frame - seconds), uris.join('\n')).toBeLessThanOrEqual(
        2 * frame,
      );
    }
  }
}

/** Text of the origin has its cues, also after breaks, and ads have none. */
function expectTexts(viewer: Viewer): void {
  for (const rung of viewer.rungs.filter((name) => name.startsWith('t'))) {
    const listed = segmentsOf(viewer, rung);
    const cues = listed.map((segment) => {
      const name = mediaName(segment);
      const text = new TextDecoder('latin1').decode(viewer.media.get(name));
      return [name, /segment \d+/.test(text)];
    });
    expect(cues).toEqual(listed.map((segment) => [mediaName(segment), !isOurs(segment.uri)]));
  }
}

export const sourcesOf = ({ hlsUrl, dashUrl }: LiveOrigin, takes: LiveBreakCase['takes'] = 'hls') => {
  if (takes === 'both') return { sourceManifestUrl: hlsUrl, sourceDashUrl: dashUrl };
  return { sourceManifestUrl: takes === 'hls' ? hlsUrl : dashUrl };
};

/** Watches two breaks. */
export async function playLiveBreaks(
  stage: Stage,
  one: LiveBreakCase,
): Promise<{ readonly viewer: Viewer; readonly origin: LiveOrigin }> {
  const id = one.name.replaceAll(/\W+/g, '-');
  const breaks = { every: EVERY, seconds: SECONDS, first: 30, ...one.breaks };
  const origin = await startOrigin(stage, { window: 8, ...one.origin, breaks });
  await airLive(stage, id, sourcesOf(origin, one.takes), one.channel);
  await offerSpots(stage, id);
  const viewer = await stage.watch(id, one.watching);
  const meant = meantBreaks(origin, one.endOf ?? (({ end }) => end!));
  await viewer.until('two breaks are over', () => seenBreaks(viewer, origin, meant).length >= 2);
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  expectExactBreaks(viewer, origin, meant);
  await expectTraces(stage, viewer, seenBreaks(viewer, origin, meant), one);
  expectTexts(viewer);
  if (one.isDecoded === true) await expectDecodable(viewer, origin);
  return { viewer, origin };
}
