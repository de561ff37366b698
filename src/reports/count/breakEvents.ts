// SPDX-License-Identifier: Apache-2.0
// The report events of a decided break. Durations are those of the decision, in frames, at the instants that manifests
// show.
import { isSkipCode } from '../../ads/pod/adOutcome.ts';
import type { AdRecord } from '../../ads/record/breakRecord.ts';
import type { RecordedBreak } from '../../playback/decide/decideBreak.ts';
import { type FrameRate, framesToFlicks } from '../../time/units.ts';
import { clockAt, type Instant } from '../../timeline/programme/span.ts';
import type { AiredRange, ReportEvent } from '../event.ts';

/** The value of the dimension `creative`: the id of the creative, else the title of the ad. */
export const creativeName = ({ creativeId, title }: Pick<AdRecord, 'creativeId' | 'title'>): string =>
  creativeId ?? title ?? '(unnamed)';

/** Places consecutive pieces of a break on the clock. Their lengths add up to the millisecond. */
function placePieces(start: Instant, rate: FrameRate, frames: readonly number[]): AiredRange[] {
  let at = 0;
  return frames.map((count) => {
    const from = clockAt(start, framesToFlicks(at, rate));
    at += count;
    return { at: from, ms: clockAt(start, framesToFlicks(at, rate)) - from };
  });
}

export function breakEvents({ airing, place, decision, record }: RecordedBreak): ReportEvent[] {
  const { channel, ladder } = airing;
  const of = { channel: channel.id, tenant: channel.tenant };
  const { joined, ads, intro, outro } = decision;
  const [before, after] = [intro?.frames ?? 0, outro?.frames ?? 0];
  const adFrames = ads.map((ad) => ad.frames);
  const shown = [joined, before, ...adFrames, after].reduce((sum, count) => sum + count, 0);
  const frames = place.frames ?? shown;
  const pieces = placePieces(place.start, ladder.frameRate, [joined, before, ...adFrames, frames - shown, after]);
  const aired = pieces.slice(2, 2 + ads.length);
  const [whole] = placePieces(place.start, ladder.frameRate, [frames]);
  const at = whole!.at;
  const stitched = record.ads.filter(({ outcome }) => outcome === 'stitched');
  return [
    {
      ...of,
      type: 'breakDecided',
      ...whole!,
      ads: aired,
      slate: [pieces[0]!, pieces[2 + ads.length]!].filter(({ ms }) => ms > 0),
    },
    ...stitched.map((ad, index): ReportEvent => {
      return { ...of, type: 'adDecided', at: aired[index]?.at ?? at, creative: creativeName(ad) };
    }),
    ...record.ads.flatMap((ad): ReportEvent[] => {
      const code = ad.reason?.code;
      if (ad.outcome !== 'skipped' || code === undefined || !isSkipCode(code)) return [];
      return [{ ...of, type: 'adSkipped', at, creative: creativeName(ad), reason: code }];
    }),
  ];
}
