// SPDX-License-Identifier: Apache-2.0
// An evening in virtual time: what all viewers cause in each second. Breaks are computed for all viewers of a channel at once, so a
// million viewers take seconds. Pure: the same seed returns the same numbers.
import { PARTS } from '../../../src/adapters/redis/parts.ts';
import { MAX_WAIT_MS, SEEN_INTERVAL_MS } from '../../../src/playback/viewers/viewers.ts';
import { seededRandom } from '../../../test/seededRandom.ts';
import type { EventCosts, Use } from '../eventCosts.ts';
import { createAudience } from './audience.ts';
import { type BreakEvents, breakEvents } from './breakEvents.ts';
import { breakSeconds, breaksOf, type Evening, secondsOf } from './evening.ts';

/** In each second. `beacons` are those that become due. Milliseconds are processor time. */
export const SERIES = [
  ...['viewers', 'opens', 'manifests', 'adRequests', 'decisions', 'adSegments', 'beacons'],
  ...['redisCalls', 'ledgerRows', 'walBytes', 'nodeMs', 'redisMs', 'postgresMs', 'adMegabits', 'manifestMegabits'],
] as const;
export type Series = (typeof SERIES)[number];

export type EveningCounts = Readonly<Record<string, Float64Array>>;

/** `playlistSize`, if a channel does not set it. */
const WINDOW_SECONDS = 60;
/** A node reads a viewer again that it has not seen for longer. */
const REREAD_AFTER_SECONDS = WINDOW_SECONDS - MAX_WAIT_MS / 1000;
const MPD_SECONDS = 2;
/** Ids in one call (src/adapters/redis/redisSessions.ts). */
const MAX_IDS = 500;

/**
 * With random routing, the share of requests for which the node has not seen the viewer lately.
 * @param interval seconds between the polls of a player
 * @param atOnce requests of a poll
 */
export function rereadShare(nodes: number, interval: number, atOnce: number): number {
  const polls = Math.floor(REREAD_AFTER_SECONDS / interval);
  return ((nodes - 1) / nodes) ** (polls * atOnce);
}

/** Manifests that a viewer requests in a second, and how many of them read the session again. */
export function pollsOf({ dashShare, targetDuration, nodes }: Evening): { all: number; reread: number } {
  const [hls, dash] = [((1 - dashShare) * 2) / targetDuration, dashShare / MPD_SECONDS];
  const reread = hls * rereadShare(nodes, targetDuration, 2) + dash * rereadShare(nodes, MPD_SECONDS, 1);
  return { all: hls + dash, reread };
}

type Channel = { readonly viewers: Int32Array; readonly opens: Uint16Array };

/** Adds the events of one break: for the viewers of that second, or of the break's start if the event comes later. */
function addBreak(counts: EveningCounts, { viewers, opens }: Channel, start: number, events: BreakEvents): void {
  const series = ['adRequests', 'decisions', 'adSegments', 'beacons'] as const;
  for (const name of series) {
    const total = counts[name]!;
    for (const [offset, share] of events[name]) {
      const second = start + offset;
      if (second >= 0 && second < total.length) total[second]! += share * viewers[second]!;
    }
  }
  for (let second = Math.max(0, start + Math.ceil(events.openFrom)); second < start + events.openUntil; second += 1) {
    counts.adRequests![second]! += opens[second]!;
    counts.decisions![second]! += opens[second]!;
  }
}

/** Measured with a node for each viewer; what random routing adds is computed from the number of nodes. */
export type EveningCosts = {
  readonly sticky: EventCosts;
  /** Of a session that is read again. */
  readonly reread: { readonly nodeMs: number; readonly redisMs: number };
};

/** Stored when viewers were last seen: a call for each part of the store, with up to MAX_IDS viewers. */
const seenCalls = (viewers: number, { nodes }: Evening): number =>
  (nodes * PARTS * Math.ceil(viewers / nodes / PARTS / MAX_IDS) * 1000) / SEEN_INTERVAL_MS;

function addCosts(counts: EveningCounts, evening: Evening, { sticky, reread }: EveningCosts): void {
  const polls = pollsOf(evening);
  const { visit, minute, decision, ad } = sticky;
  /** The share of the work of an ad that follows from requests of its segments; the rest is that of its beacons. */
  const delivered = ad.deliveryRows / (ad.deliveryRows + ad.beaconRows);
  for (let second = 0; second < secondsOf(evening); second += 1) {
    const at = (name: string) => counts[name]![second]!;
    const [viewers, opens, decisions] = [at('viewers'), at('opens'), at('decisions')];
    const ads =
      delivered * (at('adSegments') / sticky.segmentsPerAd) + (1 - delivered) * (at('beacons') / sticky.beaconsPerAd);
    const rereads = evening.routing === 'random' ? viewers * polls.reread : 0;
    /** Of something that all of these events use. */
    const used = (of: (use: Use) => number) =>
      opens * of(visit) + (viewers / 60) * of(minute) + decisions * of(decision) + ads * of(ad);
    const put = (name: Series, value: number) => {
      counts[name]![second] = value;
    };
    put('manifests', viewers * polls.all);
    put(
      'redisCalls',
      opens * visit.redisCalls +
        decisions * decision.redisCalls +
        ads * ad.redisCalls +
        rereads +
        seenCalls(viewers, evening),
    );
    put('ledgerRows', ads * (ad.deliveryRows + ad.beaconRows));
    put(
      'walBytes',
      used(({ walBytes }) => walBytes),
    );
    put('nodeMs', used(({ nodeMs }) => nodeMs) + rereads * reread.nodeMs);
    put('redisMs', used(({ redisMs }) => redisMs) + rereads * reread.redisMs);
    put(
      'postgresMs',
      used(({ postgresMs }) => postgresMs),
    );
    put('manifestMegabits', (viewers * polls.all * sticky.manifestBytes * 8) / 1e6);
  }
}

export type SimulatedEvening = { readonly counts: EveningCounts; readonly visits: number };

export function simulateEvening(evening: Evening, costs: EveningCosts): SimulatedEvening {
  const random = seededRandom(evening.seed);
  const seconds = secondsOf(evening);
  const counts = Object.fromEntries(SERIES.map((name) => [name, new Float64Array(seconds)]));
  const audience = createAudience(evening, random);
  const [announced, unannounced] = [true, false].map((is) => breakEvents(evening, is, costs.sticky.segmentsPerAd));
  const every = Math.max(1, Math.floor(evening.channels / Math.max(1, evening.unannounced)));
  for (let channel = 0; channel < evening.channels; channel += 1) {
    const own = { viewers: audience.viewers[channel]!, opens: audience.opens[channel]! };
    const events = channel % every === 0 && evening.unannounced > 0 ? unannounced! : announced!;
    for (let second = 0; second < seconds; second += 1) {
      counts.viewers![second]! += own.viewers[second]!;
      counts.opens![second]! += own.opens[second]!;
    }
    for (const start of breaksOf(evening, random)) {
      addBreak(counts, own, start, events);
      for (let second = start; second < start + breakSeconds(evening); second += 1)
        counts.adMegabits![second]! += own.viewers[second]! * evening.megabits;
    }
  }
  addCosts(counts, evening, costs);
  return { counts, visits: audience.visits };
}
