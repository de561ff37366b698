// SPDX-License-Identifier: Apache-2.0
// A live channel that exists only as numbers: an origin with random breaks, its log, and nodes that read the log from any point.

import type { LiveChannel } from '../../src/channels/channel.ts';
import { markSlots } from '../../src/live/align/placeSignals.ts';
import { type Tail, tailAfter } from '../../src/live/align/tail.ts';
import type { LiveFeed } from '../../src/live/feed.ts';
import { applyEntry } from '../../src/live/programme/applyEntry.ts';
import { checkpointOf } from '../../src/live/programme/checkpoint.ts';
import { liveProgramme, targetToOpen } from '../../src/live/programme/liveProgramme.ts';
import { initialState, type LiveState } from '../../src/live/programme/liveState.ts';
import type { LiveEntry, LiveRules, PlacedSignal, Slot, SlotSegment } from '../../src/live/slot.ts';
import { type Airing, createPlacements } from '../../src/playback/onAir/airing.ts';
import { reachOf } from '../../src/playback/viewers/depths.ts';
import type { Viewer } from '../../src/playback/viewers/viewers.ts';
import type { JoinedLive, OnAirSession, Session } from '../../src/sessions/session.ts';
import {
  FLICKS_PER_SECOND,
  type Flicks,
  flicks,
  flicksToTicks,
  framesToFlicks,
  isoText,
  millis,
} from '../../src/time/units.ts';
import type { Ladder } from '../../src/timeline/ladder/ladder.ts';
import { ladderOf } from '../../src/timeline/ladder/ladderOf.ts';
import { after, clockAt, type Instant } from '../../src/timeline/programme/span.ts';
import type { LiveOperator } from './liveOperator.ts';
import { clipsFor, viewerWith } from './syntheticChannel.ts';
import { syntheticAsset } from './syntheticMedia.ts';

export const LIVE_START: Instant = { millis: millis(Date.parse('2026-03-01T00:00:00.123Z')), rest: flicks(400_000) };
export const LAG = 4000;

export function liveFeed(frames: number, qualities: number): LiveFeed {
  const rate = { n: 25, d: 1 };
  const asset = syntheticAsset({ name: 'o', rate, sampleRate: 48_000, segments: [frames, frames], qualities });
  const ladder: Ladder = ladderOf([asset]);
  const rungs = asset.renditions.map(({ tracks: _, id, ...rendition }) => ({ ...rendition, key: id }));
  return {
    ...{ channelId: 'c', tenant: 't', life: 'l', format: 'hls', serves: 'both', url: 'https://o.test/master.m3u8' },
    ...{ startedAt: LIVE_START.millis, ladder, rungs, slateId: 'slate' },
  };
}

/** A break as the origin has it. `ends` is where content returns, `announced` what the markers say. */
export type OriginBreak = {
  readonly slot: number;
  readonly ends: number;
  readonly announced?: Flicks;
  /** None by default. */
  readonly leadSlots?: number;
  /** True by default. */
  readonly hasIn?: boolean;
  readonly continues?: boolean;
  readonly form?: 'cues' | 'range';
};

export type OriginPlan = {
  /** Milliseconds that the origin lists; as much as viewers' windows when absent. */
  readonly window?: number;
  readonly frames: number;
  readonly breaks: readonly OriginBreak[];
  /** Slots that are shorter than half a second, as encoders make them before a marker. */
  readonly short?: ReadonlySet<number>;
  /** Slots at which a stretch starts. */
  readonly stretches?: ReadonlySet<number>;
  /** When the origin is away: the first slot without content, and how many there are. */
  readonly aways?: readonly { readonly slot: number; readonly count: number }[];
  /** Ticks by which the clock of the media gains on the timeline with each slot. */
  readonly drift?: number;
};

const SHORT_FRAMES = 12;

/** The frames of the slots from `from` to before `to`. */
export function framesBetween(
  { frames, short }: Pick<OriginPlan, 'frames' | 'short'>,
  from: number,
  to: number,
): number {
  const shortened = [...(short ?? [])].filter((number) => number >= from && number < to).length;
  return frames * (to - from) - shortened * (frames - SHORT_FRAMES);
}

const lengthOf = ({ ladder }: LiveFeed, plan: OriginPlan, from: number, to: number): Flicks =>
  framesToFlicks(framesBetween(plan, from, to), ladder.frameRate);

const startOf = (feed: LiveFeed, plan: OriginPlan, number: number): Instant =>
  after(LIVE_START, lengthOf(feed, plan, 0, number));

const isAway = ({ aways = [] }: OriginPlan, number: number): boolean =>
  aways.some(({ slot, count }) => number >= slot && number < slot + count);

export function slotAt(feed: LiveFeed, plan: OriginPlan, number: number): Slot {
  const duration = lengthOf(feed, plan, number, number + 1);
  const start = startOf(feed, plan, number);
  if (isAway(plan, number))
    return { number, start, duration, isNewStretch: false, isAway: true, segments: feed.rungs.map(() => []) };
  const segments = feed.rungs.map(({ key, timescale, kind }): SlotSegment[] => {
    const exact = flicksToTicks(lengthOf(feed, plan, 0, number), timescale);
    const shown = kind === 'audio' ? Math.round(exact / 1024) * 1024 : exact;
    const gained = Math.round((number * (plan.drift ?? 0) * timescale) / 48_000);
    const mediaTime = 1_000_000 * timescale + shown + gained;
    return [
      {
        ...{ number: 500 + number, duration, mediaTime },
        media: { url: `https://o.test/${key}/${500 + number}.m4s` },
        init: { url: `https://o.test/${key}/init.mp4` },
        ...(kind === 'audio' ? { late: lateOf(shown - exact, timescale) } : {}),
      },
    ];
  });
  const isNewStretch = number === 0 || plan.stretches?.has(number) === true || isAway(plan, number - 1);
  return { number, start, duration, isNewStretch, segments };
}
const lateOf = (ticks: number, timescale: number): Flicks =>
  flicks(Math.round((ticks * FLICKS_PER_SECOND) / timescale));

function tagsOf(feed: LiveFeed, plan: OriginPlan, { slot, announced, form }: OriginBreak, index: number) {
  const range = `#EXT-X-DATERANGE:ID="b${index}",START-DATE="${isoText(clockAt(startOf(feed, plan, slot), 0))}"`;
  const length = announced === undefined ? '' : `DURATION=${announced / FLICKS_PER_SECOND},`;
  return {
    out:
      form === 'range'
        ? `${range},${length && `PLANNED-${length}`}SCTE35-OUT=0xFC`
        : `#EXT-X-CUE-OUT:${length}ID=b${index}`,
    in: form === 'range' ? `${range},SCTE35-IN=0xFC` : `#EXT-X-CUE-IN:ID=b${index}`,
    continued: (number: number) =>
      `#EXT-X-CUE-OUT-CONT:${length}ELAPSED=${lengthOf(feed, plan, slot, number) / FLICKS_PER_SECOND},ID=b${index}`,
  };
}

/** The signals that become known when a slot is read. */
export function signalsAt(feed: LiveFeed, plan: OriginPlan, number: number): PlacedSignal[] {
  return plan.breaks.flatMap((one, index): PlacedSignal[] => {
    const common = { source: one.form === 'range' ? 'EXT-X-DATERANGE' : 'EXT-X-CUE-OUT', line: 1, id: `b${index}` };
    const tags = tagsOf(feed, plan, one, index);
    const at = startOf(feed, plan, one.slot);
    const signals: PlacedSignal[] = [];
    const isKnown = number === Math.max(0, one.slot - (one.leadSlots ?? 0));
    if (isKnown)
      signals.push({
        ...{ ...common, kind: 'out', at, raw: tags.out },
        ...(one.announced === undefined ? {} : { duration: one.announced }),
      });
    if (one.continues && number > one.slot && number < one.ends)
      signals.push({ ...common, kind: 'continue', at: startOf(feed, plan, number), raw: tags.continued(number) });
    if (one.hasIn !== false && number === one.ends)
      signals.push({ ...common, kind: 'in', at: startOf(feed, plan, number), raw: tags.in });
    return signals;
  });
}

export const mediaOf = ({ ladder, slateId }: LiveFeed) => ({ ladder, slateId, clips: clipsFor(ladder) });

/**
 * Writes the log of an origin: one entry for each slot, shown `LAG` after its end, more or less; and what an operator orders, with
 * an entry or in one of its own.
 */
export function writeLog(
  feed: LiveFeed,
  plan: OriginPlan,
  rules: LiveRules,
  count: number,
  jitter: () => number,
  operator?: LiveOperator,
) {
  let state = initialState(feed, mediaOf(feed), 600_000);
  const entries: LiveEntry[] = [];
  let shown = 0;
  let tail: Tail | undefined;
  for (let number = 0; number < count; number += 1) {
    const slot = slotAt(feed, plan, number);
    const end = clockAt(slot.start, slot.duration);
    const before = shown;
    shown = Math.max(shown, end + LAG + Math.floor(jitter()));
    const add = (entry: LiveEntry): void => {
      tail = tailAfter(tail, entry);
      entries.push(entry);
      state = applyEntry(state, entry);
    };
    const frameAt = (at: number) => {
      const checkpoint = checkpointOf(state);
      return { readAt: millis(at), visibleAt: millis(at), rules, ...(checkpoint && { checkpoint }) };
    };
    // At any time between two slots, or together with one.
    const orderedAt = Math.floor(before + (jitter() % 1) * (shown - before));
    if (tail !== undefined) operator?.act(state, LAG, orderedAt);
    const order =
      orderedAt % 2 === 0 ? operator?.ordered(state, orderedAt, tail, undefined, frameAt(orderedAt)) : undefined;
    if (order !== undefined) add(order);
    const signals = signalsAt(feed, plan, number);
    const entry: LiveEntry = {
      ...{ ...frameAt(shown), number: entries.length, anchor: { start: LIVE_START, lag: LAG } },
      ...(plan.window === undefined ? {} : { window: plan.window }),
      slots: rules.markers === 'pass' ? markSlots(tail, [slot], signals) : [slot],
      signals,
    };
    add(operator?.ordered(state, shown, tail, entry, entry) ?? entry);
  }
  return entries;
}

/** A node that reads the log from entry `from` on. */
export function liveNode(feed: LiveFeed, entries: readonly LiveEntry[], from: number, channel: Partial<LiveChannel>) {
  // As for real channels, more than windows list.
  const keep = 1000 * Math.max(120, (channel.playlistSize ?? 0) + 30);
  let state: LiveState = initialState(feed, mediaOf(feed), keep);
  let next = from;
  const placements = createPlacements();
  let made: { readonly state: LiveState; readonly airing: Airing } | undefined;
  return {
    airingAt(now: number): Airing {
      while (next < entries.length && entries[next]!.visibleAt <= now) state = applyEntry(state, entries[next++]!);
      if (made?.state === state) return made.airing;
      const shown = state;
      const programme = liveProgramme(shown);
      const airing: Airing = {
        channel: {
          id: 'c',
          tenant: 't',
          type: 'live',
          playlistSize: 40,
          timeShiftWindow: 0,
          deltaUpdates: true,
          ...channel,
        } as LiveChannel,
        ...{ life: 'l', ladder: feed.ladder, declared: feed.ladder, programme, clips: state.media.clips },
        ...{ placements, hasMedia: () => true, signalling: undefined },
        targetToOpen: () => targetToOpen(shown),
      };
      made = { state, airing };
      return airing;
    },
  };
}

export function liveViewer(airing: Airing, now: number, live: JoinedLive, format: Session['format']): Viewer {
  const session: OnAirSession = {
    kind: 'live',
    ...{ id: 's', channelId: 'c', tenant: 't', life: 'l', format, openedAt: millis(now), live },
    reach: reachOf(airing.channel),
    ...(live.preroll ? { start: live.preroll.start.millis } : {}),
    ...{ parameters: {}, viewer: { address: '', userAgent: '' } },
  };
  return viewerWith(session, airing.ladder.rungs.length, -1, now);
}
