// SPDX-License-Identifier: Apache-2.0
// When the work of one break falls, in seconds relative to it, for each viewer of the channel: with the pacing of the product. Pure.
import { planPrefetch } from '../../../src/playback/decide/prefetcher.ts';
import { leadFor } from '../../../src/playback/viewers/breaks.ts';
import { spreadOf } from '../../../src/playback/viewers/viewers.ts';
import { millis } from '../../../src/time/units.ts';
import { holdBackMillis } from '../../../src/timeline/ladder/ladder.ts';
import { dueAt } from '../../../src/tracking/deliveries/dueEvents.ts';
import { breakSeconds, type Evening } from './evening.ts';

/** Shares of a channel's viewers by second, relative to the start of the break. Each adds up to how often it happens to a viewer. */
export type BreakEvents = {
  readonly adRequests: ReadonlyMap<number, number>;
  readonly decisions: ReadonlyMap<number, number>;
  readonly adSegments: ReadonlyMap<number, number>;
  readonly beacons: ReadonlyMap<number, number>;
  /** The latest second before the break in which a decision begins: a viewer who opens later is decided at once. */
  readonly openUntil: number;
  readonly openFrom: number;
};

/** Enough that each second has its share to within some percent. */
const SAMPLES = 4000;
/** Of the ad server and of the store. */
const RESPONSE_SECONDS = 1;
/** `minimumUpdatePeriod` of linear channels. */
const MPD_SECONDS = 2;
/** When the events of an ad are, as shares of its length: impression, creativeView, start, quartiles, complete. */
const QUARTILES = [0, 0, 0, 0.25, 0.5, 0.75, 1];

const add = (map: Map<number, number>, second: number, share: number) => {
  const key = Math.floor(second);
  map.set(key, (map.get(key) ?? 0) + share);
};

/** @param segmentsOfAd how many requests of segments an ad costs a viewer */
export function breakEvents(evening: Evening, isAnnounced: boolean, segmentsOfAd: number): BreakEvents {
  const length = breakSeconds(evening);
  const { ads, adSeconds, dashShare, targetDuration, trackingUrls, breaksAnHour } = evening;
  const maps = () => new Map<number, number>();
  const [adRequests, decisions, adSegments, beacons] = [maps(), maps(), maps(), maps()];
  const holdBack = holdBackMillis({ targetDuration }) / 1000;
  const sinceLast = 3600 / breaksAnHour - length;
  const share = 1 / SAMPLES;
  /** Of video; sound has as many. */
  const parts = Math.max(1, Math.round(segmentsOfAd / 2));
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const spread = spreadOf(`${sample.toString(16).padStart(8, '0')}-evening`);
    /** When this player polls next. */
    const interval = (sample * 0.7548) % 1 < dashShare ? MPD_SECONDS : targetDuration;
    const phase = ((sample * 0.618_034) % 1) * interval;
    if (isAnnounced) {
      const start = -leadFor(1000 * length, spread) / 1000 + phase;
      add(adRequests, start, share);
      add(decisions, start + RESPONSE_SECONDS, share);
    } else {
      const watcher = { openedAt: millis(0), spread };
      const ended = { id: 'last', startsAt: millis(0), endedAt: millis(1_000_000), seconds: length };
      const at = planPrefetch(ended as Parameters<typeof planPrefetch>[0], watcher).at / 1000 - 1000;
      add(adRequests, -sinceLast + at + phase, share);
      add(decisions, phase, share);
    }
    for (let ad = 0; ad < ads; ad += 1) {
      const start = ad * adSeconds;
      for (let part = 1; part <= parts; part += 1)
        add(adSegments, start + (part * adSeconds) / parts + phase, (share * segmentsOfAd) / parts);
      const firstAt = start + adSeconds / parts + phase;
      for (let nth = 0; nth < trackingUrls; nth += 1) {
        const at = QUARTILES[nth % QUARTILES.length]! * adSeconds;
        const requested = start + Math.min(adSeconds, at + adSeconds / parts) + phase;
        const ms = (value: number) => millis(Math.round(1000 * value));
        add(beacons, dueAt(ms(at), ms(start), ms(firstAt), ms(holdBack), ms(requested)) / 1000, share);
      }
    }
  }
  const latest = leadFor(1000 * length, 1) / 1000;
  return { adRequests, decisions, adSegments, beacons, openFrom: isAnnounced ? -latest : 0, openUntil: length };
}
