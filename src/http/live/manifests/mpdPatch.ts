// SPDX-License-Identifier: Apache-2.0
// The patches of a viewer's MPDs. Nothing is stored for them: what the player has is written again, from the time that it lists and
// the viewer's decisions, which never change. If the result has another check value, the player reads the whole MPD.
import { crc32 } from 'node:zlib';
import { PATCH_TTL, patchLocation, type SentMpd, writeSentMpd } from '../../../dash/write/patch/patchLocation.ts';
import { periodChanges } from '../../../dash/write/patch/periodChanges.ts';
import { writeLastPatch, writePatch } from '../../../dash/write/patch/writePatch.ts';
import { pastView } from '../../../playback/view/pastView.ts';
import type { View } from '../../../playback/view/view.ts';
import { depthsOf } from '../../../playback/viewers/depths.ts';
import { periodsOf } from './periodsOf.ts';

/** The path of a patch, relative to the base URL of the session's segments. */
export const PATCH_NAME = 'patch.mpp';

/** Milliseconds. MPDs of shorter windows are small, and patches of them save few bytes. */
const MIN_DEPTH = 120_000;

/** Constant for a session: Shaka Player 5.2 must have a location from its first MPD on (patchLocation.ts). */
export function hasPatches({ viewer: { session }, airing }: View): boolean {
  const { standard, largest } = depthsOf(session, airing);
  return (session.start === undefined ? standard : largest) >= MIN_DEPTH;
}

const checkOf = (periods: string): number => crc32(Buffer.from(periods, 'latin1'));

/** @param periods of the view. @param baseUrl of relative segment URLs, relative to the MPD */
export function locationOf({ now, from, to }: View, periods: string, baseUrl: string): string {
  const sent = writeSentMpd({ publishedAt: now, from, to, check: checkOf(periods) });
  return patchLocation(`${baseUrl}${PATCH_NAME}?since=${sent}`, periods);
}

/** Players request patches until PATCH_TTL by their own clocks. */
const MAX_AGE_MS = 2 * 1000 * PATCH_TTL;

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
  if (!hasPatches(view) || !canBeSent(sent, view)) return writeLastPatch(frame);
  const before = periodsOf(pastView(view, sent.from, sent.to));
  if (checkOf(before) !== sent.check) return writeLastPatch(frame);
  const periods = periodsOf(view);
  const changes = periodChanges(before, periods);
  return changes === undefined ? writeLastPatch(frame) : writePatch(frame, locationOf(view, periods, baseUrl), changes);
}
