// SPDX-License-Identifier: Apache-2.0
// The report events of a decided break. Durations are those of the decision, in frames, at the instants that manifests
// show.

import { isSkipCode } from '../../../../ads/pod/adOutcome.ts';
import type { AdRecord } from '../../../../ads/record/breakRecord.ts';
import type { RecordedBreak } from '../../../../playback/decide/decisionRecorder.ts';
import type { EndedBreak } from '../../../../playback/viewers/settledDecisions.ts';
import type { FrameRate } from '../../../../time/units.ts';
import { framesToFlicks } from '../../../../time/units.ts';
import type { Instant } from '../../../../timeline/programme/span.ts';
import { clockAt } from '../../../../timeline/programme/span.ts';
import type { AiredBreak, AiredRange, ReportEvent } from '../event.ts';

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

/** The parts of a break, in frames and in playing order. */
type Parts = {
  readonly joined: number;
  readonly intro: number;
  readonly ads: readonly number[];
  readonly outro: number;
  /** Of the whole break; as long as its parts when absent. */
  readonly frames?: number;
};

function airedBreak(start: Instant, rate: FrameRate, { joined, intro, ads, outro, frames }: Parts): AiredBreak {
  const shown = [joined, intro, ...ads, outro].reduce((sum, count) => sum + count, 0);
  const rest = (frames ?? shown) - shown;
  const pieces = placePieces(start, rate, [joined, intro, ...ads, rest, outro]);
  const [whole] = placePieces(start, rate, [frames ?? shown]);
  const slate = [pieces[0]!, pieces[2 + ads.length]!].filter(({ ms }) => ms > 0);
  return { ...whole!, ads: pieces.slice(2, 2 + ads.length), slate };
}

const partsOf = ({ decision, place }: RecordedBreak): Parts => ({
  joined: decision.joined,
  intro: decision.intro?.frames ?? 0,
  ads: decision.ads.map(({ frames }) => frames),
  outro: decision.outro?.frames ?? 0,
  ...(place.frames === undefined ? {} : { frames: place.frames }),
});

const withoutSlate = (aired: AiredBreak): AiredBreak => ({ ...aired, slate: [] });

/** Content of the origin is no slate. */
const decidedBreak = (recorded: RecordedBreak): AiredBreak => {
  const { airing, place, record } = recorded;
  const aired = airedBreak(place.start, airing.ladder.frameRate, partsOf(recorded));
  return record.content === undefined ? aired : withoutSlate(aired);
};

export function breakEvents(recorded: RecordedBreak): ReportEvent[] {
  const { airing, record } = recorded;
  const { channel } = airing;
  const of = { channel: channel.id, tenant: channel.tenant };
  const whole = decidedBreak(recorded);
  const { at, ads: aired } = whole;
  const stitched = record.ads.filter(({ outcome }) => outcome === 'stitched');
  return [
    { ...of, type: 'breakDecided', ...whole },
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

/** A live break that was not shown as decided: its decided time is taken back, and what it has shown is counted. */
export function breakEndedEvents(ended: EndedBreak): ReportEvent[] {
  const { airing, place, decision, record, shown } = ended;
  const { channel, ladder } = airing;
  const of = { channel: channel.id, tenant: channel.tenant };
  const { frames, ads } = shown;
  const joined = Math.min(decision.joined, frames);
  const intro = Math.min(shown.bumpers, decision.intro?.frames ?? 0);
  const actual = airedBreak(place.start, ladder.frameRate, {
    joined,
    intro,
    ads,
    outro: shown.bumpers - intro,
    frames,
  });
  const showsContent = record.content !== undefined && ads.length === 0;
  return [
    { ...of, type: 'breakEnded', ...decidedBreak(ended), times: -1 },
    { ...of, type: 'breakEnded', ...(showsContent ? withoutSlate(actual) : actual), times: 1 },
  ];
}
