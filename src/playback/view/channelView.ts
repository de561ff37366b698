// SPDX-License-Identifier: Apache-2.0
// What a channel shows without a viewer: content, and in breaks what it shows without ads. All requests at an instant get the same.
import { memo } from '../../cache/memo.ts';
import { AppError } from '../../errors.ts';
import type { Millis } from '../../time/units.ts';
import { type BreakSpan, clockAt, isBreakSpan, ofRung, type Span } from '../../timeline/programme/span.ts';
import { firstNumber, minWindowSeconds, type Window, windowAt } from '../../timeline/programme/window.ts';
import type { Airing } from '../onAir/airing.ts';
import { startOf } from '../viewers/depths.ts';
import { sharedAt } from './sharedAt.ts';
import { edgeOf, NOTHING_LISTED } from './view.ts';

export type ChannelView = {
  readonly airing: Airing;
  /** What is listed: every segment that ends after `from` and not after `to`, the live edge. */
  readonly from: Millis;
  readonly to: Millis;
  readonly spans: readonly Span[];
  readonly now: Millis;
  /** The window's depth in milliseconds. */
  readonly depth: number;
};

const depthOf = ({ channel, ladder }: Airing): number =>
  Math.max(channel.playlistSize, minWindowSeconds(ladder)) * 1000;

/** More than what is listed is before the edge of a live channel: see `guidedView`. */
const BEHIND_MS = 60_000;

const sharedBy = (airing: Airing, now: Millis) => {
  const { programme } = airing;
  const behind = programme.borders === undefined ? 0 : BEHIND_MS;
  return sharedAt(programme, depthOf(airing) + behind, true, programme.edgeAt(now));
};

/** The media sequence number of the segment after the window, in the first rung; undefined if nothing is listed. */
function nextNumber(view: ChannelView): number | undefined {
  const last = channelWindow(view).rows.at(-1);
  return last && firstNumber(last, 0) + ofRung(last.end, 0) - ofRung(last.first, 0);
}

/** What was listed before the edge moved last. */
function listedBefore(view: ChannelView): ChannelView {
  const { airing, to, depth } = view;
  const next = nextNumber(view);
  for (const border of airing.programme.borders ?? []) {
    const edge = clockAt(border, 0);
    if (edge >= to || next === undefined) continue;
    const before = { ...view, to: edge, from: startOf(airing, edge - depth) };
    const listed = nextNumber(before);
    if (listed !== undefined && listed < next) return before;
  }
  return view;
}

/** The last guided view of an airing, and what it was derived from: requests of one step share it. */
const lastGuided = memo((_: Airing): { last: { of: ChannelView; view: ChannelView } | undefined } => ({
  last: undefined,
}));

/**
 * HLS lists a guided break one segment before its first one (playback/guided/guidedBreaks.ts). What a live channel announces ahead may
 * still change until that segment is there, so its guided playlists end at the edge before the last one.
 */
export function guidedView(airing: Airing, now: Millis): ChannelView {
  const view = channelView(airing, now);
  if (view.airing.programme.borders === undefined) return view;
  const known = lastGuided(view.airing);
  let { last } = known;
  if (last?.of.to !== view.to || last.of.from !== view.from) last = { of: view, view: listedBefore(view) };
  known.last = last;
  return { ...last.view, now };
}

/**
 * After a hole of a live timeline, nothing may be listed yet. Then what was listed before it is.
 * @throws {AppError} UNAVAILABLE where this process does not have that: a manifest is never empty (law 5)
 */
export function channelView(airing: Airing, now: Millis): ChannelView {
  const { programme } = airing;
  const depth = depthOf(airing);
  const to = edgeOf(airing, now);
  const from = startOf(airing, to - depth);
  const view = { airing, from, to, spans: sharedBy(airing, now).spans, now, depth };
  if (programme.before === undefined || channelWindow(view).rows.length > 0) return view;
  const before = programme.before();
  if (before === undefined) throw new AppError('UNAVAILABLE', NOTHING_LISTED, { part: 'channel', retryAfter: 2 });
  return channelView({ ...airing, programme: before }, now);
}

export const channelWindow = ({ airing, spans, from, to }: ChannelView): Window =>
  windowAt(spans, from, to, airing.programme.borders);

/** The breaks in the window and in the time after it that is known. */
export const channelBreaks = (airing: Airing, now: Millis): readonly BreakSpan[] =>
  sharedBy(airing, now).breaks.filter(isBreakSpan);
