// SPDX-License-Identifier: Apache-2.0
// Opens a session. It is stored before its first manifest.
import { randomUUID } from 'node:crypto';
import { freshOdometer } from '../../ads/placement/decision.ts';
import { isIsoTime } from '../../channels/isIsoTime.ts';
import { invariant } from '../../invariant.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import type { JoinedLive, OnAirSession, Session } from '../../sessions/session.ts';
import { type Millis, millis, secondsToFlicks } from '../../time/units.ts';
import { segmentStart } from '../../timeline/asset/clip.ts';
import { holdBackMillis } from '../../timeline/ladder/ladder.ts';
import { clockAt } from '../../timeline/programme/span.ts';
import { firstNumber, windowAt } from '../../timeline/programme/window.ts';
import { type Airing, airingOfSession } from '../onAir/airing.ts';
import { reachOf, startOf } from '../viewers/depths.ts';
import type { Viewer, Viewers } from '../viewers/viewers.ts';
import { depthOf, edgeOf, floorOf } from './view.ts';

type Opening = Pick<Session, 'format' | 'parameters' | 'viewer' | 'guided'> & { readonly start?: Millis | undefined };

const date = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[ +-]\d\d:?\d\d)?)?$/i;

/** A date without an offset is in UTC. An unencoded plus sign arrives as a space. */
function readDate(text: string): number {
  const [, day, time = '00:00', zone = 'Z'] = date.exec(text) ?? [];
  const complete = `${day}T${time}${zone.replace(' ', '+').replace(/(\d\d)(\d\d)$/, '$1:$2')}`.toUpperCase();
  return day !== undefined && isIsoTime(complete) ? Date.parse(complete) : Number.NaN;
}

/**
 * @param text of `?start=`: ISO 8601, in UTC unless it has an offset; UNIX seconds (above 1e11: milliseconds); or negative
 * seconds from now
 * @param now the live edge on the channel's timeline
 * @returns the requested instant, clamped to the time shift window; or a sentence that says why it is invalid
 */
export function readStart(text: string, timeShiftWindow: number, now: Millis): Millis | string {
  const number = Number(text);
  const isNumber = text.trim() !== '' && Number.isFinite(number);
  const requested = isNumber
    ? number < 0
      ? now + number * 1000
      : number > 1e11
        ? number
        : number * 1000
    : readDate(text.trim());
  if (Number.isNaN(requested)) return `start must be an ISO 8601 date, UNIX seconds or negative seconds; got "${text}"`;
  if (timeShiftWindow <= 0) return 'start requires a channel with a timeShiftWindow; this channel has none';
  const earliest = now - timeShiftWindow * 1000;
  return millis(Math.round(Math.min(now, Math.max(earliest, requested))));
}

/**
 * Ads before the content start where players start: the hold-back behind the live edge, at a border of content. A viewer who
 * joins during a break sees its ads instead.
 */
function prerollAt(airing: Airing, edge: Millis): JoinedLive['preroll'] {
  const { channel, programme, ladder } = airing;
  if (channel.type !== 'live' || channel.preroll === undefined || programme.borderBefore?.(edge) === undefined)
    return undefined;
  const { maxDuration, maxAds } = channel.preroll;
  const start = programme.borderBefore(millis(edge - holdBackMillis(ladder)));
  const duration = secondsToFlicks(maxDuration);
  return start && { start, duration, ...(maxAds === undefined ? {} : { maxAds }) };
}

export async function openSession(
  onAir: Airing,
  { start, ...opening }: Opening,
  store: Pick<SessionStore, 'create'>,
  viewers: Pick<Viewers, 'update'>,
  now: Millis,
): Promise<Viewer> {
  const { channel, life, ladder } = onAir;
  const targetDuration = onAir.targetToOpen?.() ?? 0;
  const isLonger = targetDuration > ladder.targetDuration;
  const reach = { ...reachOf(channel), ...(isLonger && { targetDuration }) };
  const airing = airingOfSession(onAir, { reach });
  const edge = edgeOf(airing, now);
  const preroll = start === undefined ? prerollAt(airing, edge) : undefined;
  const from = start ?? (preroll && clockAt(preroll.start, 0));
  const common = {
    id: randomUUID(),
    channelId: channel.id,
    tenant: channel.tenant,
    life,
    openedAt: now,
    reach,
    ...(from === undefined ? {} : { start: from }),
    ...opening,
  };
  const opened: OnAirSession =
    airing.programme.partOf === undefined
      ? { kind: 'schedule', ...common }
      : { kind: 'live', ...common, live: { joinedAt: edge, ...(preroll && { preroll }) } };
  const zero = presentationZero(airing, opened);
  const session: OnAirSession = zero === undefined ? opened : { zero, ...opened };
  const odometer = freshOdometer(ladder.rungs.length);
  await store.create(session, odometer);
  return viewers.update(onAir, { session, decisions: [], odometer, foldedBefore: millis(0), isUnwatched: true }, now);
}

// The zero of presentation times in HLS. Players count from the first segment of the first playlist that they read. That segment
// is known when a session is opened; it is stored with the session and never changes. Its number lets a player that reads its
// first playlist a segment later compute the offset.

/** The first rung. The others start within half a frame of it, or have segments of other lengths. */
const RUNG = 0;

/** @returns undefined while the channel has nothing to show */
export function presentationZero(airing: Airing, session: OnAirSession): { at: Millis; number: number } | undefined {
  const to = edgeOf(airing, session.openedAt);
  const from = millis(Math.max(floorOf(session), startOf(airing, to - depthOf(session, airing, to))));
  const [top] = windowAt(airing.programme.spansBetween(from, to), from, to).rows;
  if (top === undefined) return undefined;
  const { clip, start } = top.span.placed;
  const [cell] = clip.cells;
  const [first] = top.first;
  invariant(cell !== undefined && first !== undefined, 'a clip has a cell for each rung');
  return { at: clockAt(start, segmentStart(clip, cell, first)), number: firstNumber(top, RUNG) };
}
