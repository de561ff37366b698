// SPDX-License-Identifier: Apache-2.0
// The report events of a decided break. Durations are those of the decision, in frames, at the instants that manifests
// show.

import { isSkipCode } from '../../../../ads/pod/adOutcome.ts';
import type { AdRecord, BreakRecord } from '../../../../ads/record/breakRecord.ts';
import type { RecordedBreak } from '../../../../playback/decide/decisionRecorder.ts';
import type { EndedBreak } from '../../../../playback/viewers/settledDecisions.ts';
import { framesToFlicks } from '../../../../time/units.ts';
import { clockAt } from '../../../../timeline/programme/span.ts';
import type { AiredBreak, AiredRange, FromSource, ReportEvent } from '../event.ts';
import { demandOf, requestsOf } from './sourceRequests.ts';

/** The value of the dimension `creative`: the id of the creative, else the title of the ad. */
export const creativeName = ({ creativeId, title }: Pick<AdRecord, 'creativeId' | 'title'>): string =>
  creativeId ?? title ?? '(unnamed)';

/** The parts of a break, in frames and in playing order. */
type Parts = {
  readonly joined: number;
  readonly intro: number;
  readonly ads: readonly number[];
  readonly outro: number;
};

const sourceOf = ({ offer }: AdRecord): FromSource => (offer === undefined ? {} : { source: offer.source });

const stitchedOf = ({ ads }: BreakRecord): AdRecord[] => ads.filter(({ outcome }) => outcome === 'stitched');

/** @param frames of the whole break; by default, as long as its parts. What no part fills is slate before the outro */
function airedBreak(
  { airing, place: { start }, record }: Pick<RecordedBreak, 'airing' | 'place' | 'record'>,
  { joined, intro, ads, outro }: Parts,
  frames: number | undefined,
  showsContent: boolean,
): AiredBreak {
  const shown = [joined, intro, ...ads, outro].reduce((sum, count) => sum + count, 0);
  const clockOf = (frame: number) => clockAt(start, framesToFlicks(frame, airing.ladder.frameRate));
  // The lengths of consecutive ranges add up to the millisecond.
  const range = (from: number, to: number): AiredRange => ({ at: clockOf(from), ms: clockOf(to) - clockOf(from) });
  let end = joined + intro;
  const stitched = stitchedOf(record);
  const aired = ads.map((count, index) => {
    end += count;
    const ad = stitched[index];
    return { ...range(end - count, end), ...(ad && sourceOf(ad)) };
  });
  const whole = frames ?? shown;
  const slate = [range(0, joined), range(end, end + whole - shown)].filter(({ ms }) => ms > 0);
  // Content of the origin is no slate.
  const demand = demandOf(record, requestsOf(record));
  return { ...range(0, whole), ads: aired, slate: showsContent ? [] : slate, demand };
}

function decidedBreak(recorded: RecordedBreak): AiredBreak {
  const { decision, place, record } = recorded;
  const parts = {
    joined: decision.joined,
    intro: decision.intro?.frames ?? 0,
    ads: decision.ads.map(({ frames }) => frames),
    outro: decision.outro?.frames ?? 0,
  };
  return airedBreak(recorded, parts, place.frames, record.content !== undefined);
}

export function breakEvents(recorded: RecordedBreak): ReportEvent[] {
  const { airing, record } = recorded;
  const of = { channel: airing.channel.id, tenant: airing.channel.tenant };
  const whole = decidedBreak(recorded);
  const { at, ads: aired } = whole;
  return [
    { ...of, type: 'breakDecided', ...whole },
    ...requestsOf(record).map((one): ReportEvent => ({ ...of, type: 'sourceRequested', at, ...one })),
    ...stitchedOf(record).map((ad, index): ReportEvent => {
      return { ...of, type: 'adDecided', at: aired[index]?.at ?? at, creative: creativeName(ad), ...sourceOf(ad) };
    }),
    ...record.ads.flatMap((ad): ReportEvent[] => {
      const code = ad.reason?.code;
      if (ad.outcome !== 'skipped' || code === undefined || !isSkipCode(code)) return [];
      const ms = Math.round(ad.duration * 1000);
      return [{ ...of, type: 'adSkipped', at, creative: creativeName(ad), reason: code, ms, ...sourceOf(ad) }];
    }),
  ];
}

/** A live break that was not shown as decided: its decided time is taken back, and what it has shown is counted. */
export function breakEndedEvents(ended: EndedBreak): ReportEvent[] {
  const { airing, decision, record, shown } = ended;
  const { frames, ads, bumpers } = shown;
  const of = { type: 'breakEnded', channel: airing.channel.id, tenant: airing.channel.tenant } as const;
  const intro = Math.min(bumpers, decision.intro?.frames ?? 0);
  const parts = { joined: Math.min(decision.joined, frames), intro, ads, outro: bumpers - intro };
  const actual = airedBreak(ended, parts, frames, record.content !== undefined && ads.length === 0);
  return [
    { ...of, ...decidedBreak(ended), times: -1 },
    { ...of, ...actual, times: 1 },
  ];
}
