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

/** For locations that have expired when a player would use them. Shaka Player 5.2 would read 0 as no limit. */
export const EXPIRED_TTL = 1;

/** @param url with nothing to escape. @param ttl seconds after MPD@publishTime */
export const patchLocation = (url: string, ttl: number): string => `<PatchLocation ttl="${ttl}">${url}</PatchLocation>`;
