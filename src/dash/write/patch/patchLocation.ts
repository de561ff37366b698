// SPDX-License-Identifier: Apache-2.0
// Where players get the next patch of an MPD (ISO/IEC 23009-1 5.3.2 and 5.15). The URL names the MPD that the player has, so
// that any process can compute what has changed since: which time it lists, and a check value of its Periods.
import { type Millis, millis } from '../../../time/units.ts';

/** An MPD that was sent to a player. */
export type SentMpd = {
  /** MPD@publishTime */
  readonly publishedAt: Millis;
  /** What it lists, on the timeline. */
  readonly from: Millis;
  readonly to: Millis;
  /** Of the text of its Periods. */
  readonly check: number;
};

/** Seconds after MPD@publishTime until which players request a patch; later they request the whole MPD. */
export const PATCH_TTL = 60;

const RADIX = 36;
const tokenPattern = /^([0-9a-z]{1,9})-([0-9a-z]{1,9})-([0-9a-z]{1,9})-([0-9a-z]{1,7})$/;

/** Without characters that URLs or XML escape. */
export const writeSentMpd = ({ publishedAt, from, to, check }: SentMpd): string =>
  [publishedAt, from, to, check].map((value) => value.toString(RADIX)).join('-');

/** @returns undefined for a text that `writeSentMpd` does not write */
export function readSentMpd(text: string): SentMpd | undefined {
  const parts = tokenPattern.exec(text);
  if (parts === null) return undefined;
  const [publishedAt, from, to, check] = parts.slice(1).map((part) => Number.parseInt(part, RADIX));
  return { publishedAt: millis(publishedAt!), from: millis(from!), to: millis(to!), check: check! };
}

/**
 * A SegmentList cannot be patched in Shaka Player 5.2. Its MPDs have a location nevertheless, which has expired when the player
 * would use it: Shaka prepares Periods for patches only while there is a location, and fails on patches of others.
 */
const EXPIRED_TTL = 1;
export const canBePatched = (periods: string): boolean => !periods.includes('<SegmentList');

/** @param url with nothing to escape. @param periods of the MPD that contains the element */
export const patchLocation = (url: string, periods: string): string =>
  `<PatchLocation ttl="${canBePatched(periods) ? PATCH_TTL : EXPIRED_TTL}">${url}</PatchLocation>`;
