// SPDX-License-Identifier: Apache-2.0
// What a channel shows without a viewer: content, and in breaks what it shows without ads. All requests at an instant get the same.
import { AppError } from '../../errors.ts';
import type { Millis } from '../../time/units.ts';
import { type BreakSpan, clockAt, isBreakSpan, type Span } from '../../timeline/programme/span.ts';
import { minWindowSeconds, type Window, windowAt } from '../../timeline/programme/window.ts';
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

const sharedBy = (airing: Airing, now: Millis) =>
  sharedAt(airing.programme, depthOf(airing), true, airing.programme.edgeAt(now));

/**
 * HLS lists a guided break one segment before its first one (playback/guided/guidedBreaks.ts). What a live channel announces ahead may
 * still change until that segment is there, so its guided playlists end one segment before the edge.
 */
export function guidedView(airing: Airing, now: Millis): ChannelView {
  const view = channelView(airing, now);
  const border = view.airing.programme.borders?.find((one) => clockAt(one, 0) < view.to);
  if (border === undefined) return view;
  const to = clockAt(border, 0);
  const behind = { ...view, to, from: startOf(view.airing, to - view.depth) };
  return channelWindow(behind).rows.length > 0 ? behind : view;
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
