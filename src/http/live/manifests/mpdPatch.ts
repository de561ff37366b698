// SPDX-License-Identifier: Apache-2.0
// The patches of a viewer's MPDs. Nothing is stored for them: what the player has is written again, from the time that it lists and
// the viewer's decisions, which never change. If the result has another check value, the player reads the whole MPD.
import { crc32 } from 'node:zlib';
import {
  EXPIRED_TTL,
  PATCH_TTL,
  patchLocation,
  type SentMpd,
  writeSentMpd,
} from '../../../dash/write/patch/patchLocation.ts';
import { periodChanges } from '../../../dash/write/patch/periodChanges.ts';
import { writeLastPatch, writePatch } from '../../../dash/write/patch/writePatch.ts';
import type { Periods } from '../../../dash/write/periods.ts';
import { pastView } from '../../../playback/view/pastView.ts';
import { depthOf, type View } from '../../../playback/view/view.ts';
import { finalDepth, updatedDepth } from '../../../playback/viewers/depths.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { periodsOf } from './periodsOf.ts';

/** The path of a patch, relative to the base URL of the session's segments. */
export const PATCH_NAME = 'patch.mpp';

/** Milliseconds. MPDs of shorter windows are small, and patches of them save few bytes. */
const MIN_DEPTH = 120_000;

/**
 * Constant for a session: Shaka Player 5.2 prepares Periods for patches only while its MPD has a location, and fails on patches of
 * others. So MPDs that cannot be patched have a location, too, which has expired.
 */
export const hasPatches = ({ viewer: { session }, airing }: View): boolean =>
  updatedDepth(session, airing) >= MIN_DEPTH;

/**
 * Players read the whole MPD until a session is this old, and again after each `RENEW_MS`. Shaka Player 5.2 needs both: the time until
 * its first update, which may be a few milliseconds, is the time between its updates until it reads a whole MPD; and it keeps
 * what it knows of Periods that patches have removed.
 */
const STARTUP_MS = 10_000;
const RENEW_MS = 300_000;
/** The depth of a window follows the live edge, which is a little behind the clock. */
const GROWN_FOR_MS = 60_000;

/**
 * Grows whenever a player reads the whole MPD; 0 while it always does. So it does while the window grows, because Shaka Player 5.2
 * does not apply a change of MPD@timeShiftBufferDepth.
 */
function renewalsAt({ viewer, airing }: View, time: Millis): number {
  const { session } = viewer;
  const age = time - session.openedAt;
  const isGrowing = depthOf(viewer, airing, millis(time - GROWN_FOR_MS)) < finalDepth(session, airing);
  return age < STARTUP_MS || isGrowing ? 0 : 1 + Math.floor(age / RENEW_MS);
}

/**
 * Of how long the text is, and of the last Period: what was published before does not change (law 1). A check of the whole text would
 * cost more than writing it.
 */
const checkOf = ({ text, last }: Periods): number => crc32(Buffer.from(last, 'latin1'), text.length);

/** @param periods of the view. @param baseUrl of relative segment URLs, relative to the MPD */
export function locationOf(view: View, periods: Periods, baseUrl: string): string {
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

/** @param sent the MPD that the player has. @returns the bytes of the text (utf8Bytes.ts) */
export function mpdPatchOf(view: View, sent: SentMpd, baseUrl: string): string {
  const frame = { id: view.viewer.session.id, publishedAt: sent.publishedAt, now: view.now };
  if (!hasPatches(view) || !canBeSent(sent, view) || isRenewed(sent, view)) return writeLastPatch(frame);
  const before = periodsOf(pastView(view, sent.from, sent.to));
  if (checkOf(before) !== sent.check) return writeLastPatch(frame);
  const periods = periodsOf(view);
  const changes = periodChanges(before, periods);
  return changes === undefined ? writeLastPatch(frame) : writePatch(frame, locationOf(view, periods, baseUrl), changes);
}
