// SPDX-License-Identifier: Apache-2.0
// A channel with a break of 30 s every twenty minutes, and the decisions of these breaks for any number of viewers. Every
// process that calls these functions gets the same values.
import { breakClips } from '../../src/ads/placement/breakClips.ts';
import { freshOdometer, type StitchedAd } from '../../src/ads/placement/decision.ts';
import { shiftOf } from '../../src/ads/placement/personalise.ts';
import type { BreakRecord } from '../../src/ads/record/breakRecord.ts';
import { type Airing, createPlacements } from '../../src/playback/onAir/airing.ts';
import { reachOf } from '../../src/playback/viewers/depths.ts';
import type { SessionStore } from '../../src/sessions/ports.ts';
import type { Session } from '../../src/sessions/session.ts';
import { FLICKS_PER_SECOND, type Flicks, millis } from '../../src/time/units.ts';
import { type Span, spanStart } from '../../src/timeline/programme/span.ts';
import type { InLineAd } from '../../src/vast/response.ts';
import { airingOf, syntheticChannel } from '../laws/syntheticChannel.ts';
import { syntheticAsset } from '../laws/syntheticMedia.ts';

export const START = Date.parse('2026-05-01T10:00:00.000Z');
const BREAK_EVERY = 20 * 60_000;
const RATE = { n: 25, d: 1 };
/** The durations of the ads of each pod in seconds. Every viewer has one of these pods in a break. */
const PODS = [[10], [15], [10, 15], [6, 10], [20]];

export function soakAiring(): Airing {
  const video = { name: 'video', rate: RATE, sampleRate: 48_000, segments: new Array(585).fill(50), qualities: 2 };
  const channel = syntheticChannel(
    [{ asset: syntheticAsset(video), cuePoints: [{ spliceTime: 1170, maxDuration: 30 }] }],
    START,
  );
  const airing = airingOf(channel, 60);
  const placements = createPlacements();
  return { ...airing, placements, channel: { ...airing.channel, tracking: 'server' } };
}

/** The first `count` breaks. */
export const breaksOf = ({ programme }: Airing, count: number): Span[] =>
  programme.spansBetween(millis(START), millis(START + count * BREAK_EVERY)).filter((span) => span.break !== undefined);

export const viewerId = (number: number): string => `viewer-${number}`;
export const podOf = (viewer: number, place: number): number => (viewer * 7 + place * 3) % PODS.length;

function stitched(breakId: string, pod: number): StitchedAd[] {
  return PODS[pod]!.map((seconds, index) => ({
    adId: `${breakId}-${index}`,
    mediaId: `p${pod}a${index}x${seconds * 25}`,
    frames: seconds * 25,
  }));
}

const TRACKED = ['creativeView', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];
/** A URL of the InLine ad or of a wrapper, with all macros that could differ between two attempts. */
const url = (receiver: string, adId: string, event: string, by: string): string =>
  `${receiver}/${by}?s=[SESSION_ID]&a=${adId}&e=${event}&cb=[CACHEBUSTING]&t=[TIMESTAMP]&p=[ADPLAYHEAD]&no=[UNKNOWN_MACRO]`;

function vastOf(receiver: string, adId: string): InLineAd {
  const events = TRACKED.map((event) => ({ event, url: url(receiver, adId, event, 'inline') }));
  const progress = { kind: 'time' as const, at: (4 * FLICKS_PER_SECOND) as Flicks };
  const linear = {
    trackingEvents: [
      ...events,
      { event: 'progress', offset: progress, url: url(receiver, adId, 'progress', 'wrapper') },
      { event: 'mute', url: url(receiver, adId, 'mute', 'inline') },
    ],
    ...{ mediaFiles: [], mezzanines: [], interactiveFiles: [], closedCaptions: [] },
    ...{ clickTrackings: [], customClicks: [], icons: [] },
  };
  return {
    kind: 'inLine',
    impressions: ['inline', 'wrapper'].map((by) => ({ url: url(receiver, adId, 'impression', by) })),
    ...{ errorUrls: [], extensions: [], verifications: [], categories: [] },
    creatives: [{ universalAdIds: [], extensions: [], linear }],
  };
}

function recordOf(span: Span, ads: readonly StitchedAd[], receiver: string): BreakRecord {
  const record = { id: span.break!.id, startsAt: new Date(spanStart(span)).toISOString(), duration: 30 };
  return {
    ...record,
    ...{ status: 'partial', warnings: [], slate: 0 },
    ads: ads.map(({ adId, frames }) => ({
      ...{ adId, duration: frames / 25, outcome: 'stitched' as const },
      vast: vastOf(receiver, adId),
    })),
  };
}

/** `receiver`: the base URL of the tracking server. */
export type SessionSetup = { readonly airing: Airing; readonly breaks: readonly Span[]; readonly receiver: string };

/** Creates sessions at the start of the channel, with decisions for all breaks. */
export async function createSessions(count: number, store: SessionStore, setup: SessionSetup): Promise<void> {
  const { airing, breaks, receiver } = setup;
  const odometer = freshOdometer(airing.ladder.rungs.length);
  const create = async (number: number): Promise<void> => {
    const session: Session = {
      ...{ id: viewerId(number), channelId: airing.channel.id, tenant: 't', life: airing.life },
      ...{ kind: 'schedule', format: number % 2 ? 'dash' : 'hls', openedAt: millis(START), parameters: {} },
      reach: reachOf(airing.channel),
      viewer: { address: `192.0.2.${number % 250}`, userAgent: `Player/${number}` },
    };
    await store.create(session, odometer);
    let state = { session, decisions: [], odometer, foldedBefore: millis(0) } as Parameters<SessionStore['decide']>[0];
    for (const [place, span] of breaks.entries()) {
      const ads = stitched(span.break!.id, podOf(number, place));
      const decision = { breakId: span.break!.id, startsAt: spanStart(span), joined: 0, ads };
      const clips = breakClips(decision, span.break!, airing.clips).map(({ clip }) => clip);
      const stored = { ...decision, shift: shiftOf(span.placed.clip, clips) };
      const decided = await store.decide(state, stored, recordOf(span, ads, receiver), millis(0));
      state = decided!.state;
    }
  };
  for (let from = 0; from < count; from += 200) {
    await Promise.all(Array.from({ length: Math.min(200, count - from) }, (_, index) => create(from + index)));
  }
}
