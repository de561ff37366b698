// SPDX-License-Identifier: Apache-2.0
// The texts of manifests: what a session shows, in the format of its player.

import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { createKeptBytes } from '../../../cache/keptBytes.ts';
import { memo } from '../../../cache/memo.ts';
import type { Parts } from '../../../cache/sharedText.ts';
import {
  EXPIRED_TTL,
  PATCH_TTL,
  patchLocation,
  periodChanges,
  type SentMpd,
  writeLastPatch,
  writePatch,
  writeSentMpd,
} from '../../../dash/write/patch.ts';
import { type PeriodFrame, type Periods, writePeriods } from '../../../dash/write/periods.ts';
import { type MpdCard, mpdCard, periodsCard, writePeriodsCard } from '../../../dash/write/periodsCard.ts';
import {
  announcedEvents,
  aroundOf,
  baseUrlText,
  type MpdFrame,
  mpdAround,
  writeStaticMpd,
} from '../../../dash/write/writeMpd.ts';
import { type MediaCard, mediaCard, writeMediaCard } from '../../../hls/mediaCard.ts';
import { writeDelta } from '../../../hls/writeDelta.ts';
import { hasDeltas, type MediaFrame, writeMedia } from '../../../hls/writeMedia.ts';
import { writeVodMedia } from '../../../hls/writeVodMedia.ts';
import type { Airing } from '../../../playback/onAir/airing.ts';
import { depthOf, pastView, shiftOf, type View, windowOf } from '../../../playback/view/view.ts';
import { finalDepth, updatedDepth } from '../../../playback/viewers/depths.ts';
import type { FilmView } from '../../../playback/viewings.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { Reach, Strip } from '../../../timeline/programme/strip.ts';
import { resumeTime } from '../../../vod/layOut.ts';

import { markersAt, markersOf } from './markersOut.ts';

/** A view of which manifests are written from strips. */
export type StripView = View & { readonly strips: readonly Strip[] };

/** With markers, which depend on what is listed before them, manifests are written row by row. */
export const isOfStrips = (view: View): view is StripView =>
  view.strips !== undefined && !frameOf(view.airing).hasMarkers;

/** What all manifests of an airing have in common. */
export const frameOf = memo(({ ladder, programme, channel }: Airing) => ({
  ladder,
  availabilityStart: programme.startedAt,
  announces: channel.announceAds !== false,
  hasMarkers: markersOf(channel) !== undefined,
}));

/** The same for the whole session, because Shaka Player 5.2 reads it from the first playlist only. */
const formOf = ({ viewer, airing }: View): 'plain' | 'full' =>
  hasDeltas(updatedDepth(viewer.session, airing), airing.ladder) ? 'full' : 'plain';

const mediaFrameOf = (view: View): MediaFrame => ({
  ...frameOf(view.airing),
  form: formOf(view),
  markers: markersAt(view.airing, view, markersOf(view.airing.channel)),
});

/** What is listed of a view, and what its card may list. */
export const reachOf = ({ strips, from, to, until }: StripView): Reach => ({
  strips,
  from,
  to,
  until: Math.max(to, until),
});

export const mediaCardOf = (view: StripView, rung: number): MediaCard =>
  mediaCard(reachOf(view), rung, view.choices, mediaFrameOf(view));

export function mediaPlaylistOf(view: View, rung: number): string | Parts {
  if (isOfStrips(view)) return writeMediaCard(mediaCardOf(view, rung), view.from, view.to);
  const window = windowOf(view);
  return writeMedia(window, rung, shiftOf(view, window), mediaFrameOf(view));
}

/** The delta update of a media playlist; the playlist where there is none. */
export function mediaDeltaOf(view: View, rung: number): string | Parts {
  if (formOf(view) === 'plain') return mediaPlaylistOf(view, rung);
  const window = windowOf(view);
  const delta = writeDelta(window, rung, shiftOf(view, window), mediaFrameOf(view));
  return delta ?? mediaPlaylistOf(view, rung);
}

/** `clockUrl`: at which players read the server's clock. `baseUrl`: of relative segment URLs, relative to the MPD. */
export type Urls = Pick<MpdFrame, 'clockUrl' | 'baseUrl'>;

function mpdFrameOf({ airing, now, depth, viewer }: View, { clockUrl, baseUrl }: Urls): MpdFrame {
  const { programme } = airing;
  const { session } = viewer;
  return {
    ...frameOf(airing),
    clockOffset: programme.lag,
    now,
    depth,
    // Constant for a session: players read it once, and EXT-X-START has the same value in HLS.
    startDelay: session.start === undefined ? 0 : session.openedAt - session.start - programme.lag,
    clockUrl,
    baseUrl: baseUrlText(baseUrl),
  };
}

export function mpdOf(view: View, urls: Urls): string {
  const frame = mpdFrameOf(view, urls);
  const periods = periodsOf(view, frame);
  if (!hasPatches(view)) return mpdAround(periods.text, aroundOf(frame), frame);
  const patches = { id: view.viewer.session.id, location: locationOf(view, periods, urls.baseUrl) };
  return mpdAround(periods.text, aroundOf(frame), frame, patches);
}

/** The card of a view's MPD. @param urls as in `mpdFrameOf` */
export function mpdCardOf(view: StripView, urls: Urls): MpdCard {
  const frame = mpdFrameOf(view, urls);
  return mpdCard(reachOf(view), frameOf(view.airing), aroundOf(frame), frame.baseUrl);
}

/** The Periods of a viewer's MPD. */
export const periodsOf = (view: View, frame: PeriodFrame = frameOf(view.airing)): Periods =>
  isOfStrips(view)
    ? writePeriodsCard(periodsCard(reachOf(view), frame), view.from, view.to)
    : writePeriods(windowOf(view).rows, frame);

// The patches of a viewer's MPDs. Nothing is stored for them: what the player has is written again, from the time that it lists and
// the viewer's decisions, which never change. If the result has another check value, the player reads the whole MPD.

/** The path of a patch, relative to the base URL of the session's segments. */
const PATCH_NAME = 'patch.mpp';

/** Milliseconds. MPDs of shorter windows are small, and patches of them save few bytes. */
const MIN_DEPTH = 120_000;

/**
 * Constant for a session: Shaka Player 5.2 prepares Periods for patches only while its MPD has a location, and fails on patches of
 * others. So MPDs that cannot be patched have a location, too, which has expired.
 */
export const hasPatches = ({ viewer: { session }, airing }: View): boolean =>
  updatedDepth(session, airing) >= MIN_DEPTH;

/**
 * Players read the whole MPD until a session is this old, and again after each `RENEW_MS`. Shaka Player 5.2 needs both: the
 * time until its first update, which may be a few milliseconds, is the time between its updates until it reads a whole MPD; and
 * it keeps what it knows of Periods that patches have removed.
 */
const STARTUP_MS = 10_000;
const RENEW_MS = 300_000;
/** The depth of a window follows the live edge, which is a little behind the clock. */
const GROWN_FOR_MS = 60_000;

/**
 * Grows whenever a player reads the whole MPD; 0 while it always does, e.g. while the window grows, because Shaka
 * Player 5.2 does not apply a change of MPD@timeShiftBufferDepth.
 */
function renewalsAt({ viewer, airing }: View, time: Millis): number {
  const { session } = viewer;
  const age = time - session.openedAt;
  const isGrowing = depthOf(session, airing, millis(time - GROWN_FOR_MS)) < finalDepth(session, airing);
  return age < STARTUP_MS || isGrowing ? 0 : 1 + Math.floor(age / RENEW_MS);
}

/**
 * The check value covers the length of the text and the last Period: what was published before does not change (law 1).
 * A check of the whole text would cost more than writing it.
 */
const checkOf = ({ text, last }: Periods): number => crc32(Buffer.from(last, 'latin1'), text.length);

/** @param periods of the view. @param baseUrl of relative segment URLs, relative to the MPD */
function locationOf(view: View, periods: Periods, baseUrl: string): string {
  const { now, from, to } = view;
  const sent = writeSentMpd({ publishedAt: now, from, to, check: checkOf(periods) });
  const isUsed = !periods.hasLists && renewalsAt(view, now) > 0;
  return patchLocation(`${baseUrl}${PATCH_NAME}?since=${sent}`, isUsed ? PATCH_TTL : EXPIRED_TTL);
}

/** Players request patches until PATCH_TTL by their own clocks. */
const MAX_AGE_MS = 2 * 1000 * PATCH_TTL;

const isRenewed = ({ publishedAt }: SentMpd, view: View): boolean => {
  const renewals = renewalsAt(view, publishedAt);
  return renewals === 0 || renewals !== renewalsAt(view, view.now);
};

/** Whether a player can have this MPD, and what it lists is not more than the viewer's window. */
const canBeSent = ({ publishedAt, from, to }: SentMpd, view: View): boolean =>
  publishedAt < view.now &&
  publishedAt > view.now - MAX_AGE_MS &&
  from < to &&
  from <= view.from &&
  to <= view.to &&
  from > view.from - MAX_AGE_MS &&
  to - from <= view.depth;

/** @param sent the MPD that the player has. @returns the bytes of the text (`utf8Bytes`) */
export function mpdPatchOf(view: View, sent: SentMpd, baseUrl: string): string {
  const frame = { id: view.viewer.session.id, publishedAt: sent.publishedAt, now: view.now };
  if (!hasPatches(view) || !canBeSent(sent, view) || isRenewed(sent, view)) return writeLastPatch(frame);
  const before = periodsOf(pastView(view, sent.from, sent.to));
  if (checkOf(before) !== sent.check) return writeLastPatch(frame);
  const periods = periodsOf(view);
  const changes = periodChanges(before, periods);
  return changes === undefined ? writeLastPatch(frame) : writePatch(frame, locationOf(view, periods, baseUrl), changes);
}

// Films: everything from start to end. The texts never change, and some clients read them repeatedly, so the bytes of those that were
// requested again are kept.

const TTL_MS = 30_000;
const MAX_KEYS = 20_000;

const kept = createKeptBytes<string>(64 * 2 ** 20, TTL_MS);
const requested = new LRUCache<string, true>({ max: MAX_KEYS, ttl: TTL_MS });

export const keptManifestCount = kept.size;

/** @param name of the manifest within the session. @param write returns ASCII */
function filmText({ viewer, channel }: FilmView, name: string, write: (announces: boolean) => string) {
  const announces = channel.announceAds !== false;
  const key = `${viewer.session.id} ${name} ${announces}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const text = () => write(announces);
  if (requested.has(key)) return kept.keep(key, text) ?? text();
  requested.set(key, true);
  return text();
}

export function filmMediaOf(view: FilmView, rung: number, rungId: string): string | Uint8Array {
  const { presentation, viewer } = view;
  const { session, title } = viewer;
  return filmText(view, rungId, (announces) => {
    const startOffset = resumeTime(presentation, session.vod.resumeAt);
    return writeVodMedia(presentation.spans, rung, title.ladder, { announces, startOffset });
  });
}

/** @param baseUrl of relative segment URLs, relative to the MPD */
export function filmMpdOf(view: FilmView, baseUrl: string): string | Uint8Array {
  const { ladder } = view.viewer.title;
  return filmText(view, '.mpd', (announces) =>
    writeStaticMpd(view.presentation.spans, { ladder, eventsOf: announcedEvents(announces), baseUrl }),
  );
}
