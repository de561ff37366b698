// SPDX-License-Identifier: Apache-2.0
// Who inserts a session's ads: Midroll, or the player. Decided when the session is opened, from the request and the channel alone.
import type { Insertion } from '../../channels/channel.ts';
import type { Session } from '../../sessions/session.ts';

export const INSERTION_PARAMETER = 'insertion';

const insertions: ReadonlySet<string> = new Set<Insertion>(['stitched', 'guided', 'auto']);

/** @returns a sentence that says why a value is invalid */
export const readInsertion = (text: string): Insertion | { readonly fault: string } =>
  insertions.has(text)
    ? (text as Insertion)
    : { fault: `must be "stitched", "guided" or "auto"; got "${text.slice(0, 40)}"` };

/** iOS and tvOS: "(iPhone; U; CPU OS 16_4 like Mac OS X; en_us)"; macOS: "(Macintosh; U; Intel Mac OS X 13_0; en_us)". */
const APPLE = /^AppleCoreMedia\/.*\b(?:CPU(?: iPhone)? OS|(Intel Mac OS X)) (\d{1,3})[_.]/;
/** The first versions that play interstitials with asset lists and read variables of multivariant playlists. */
const LEAST_IOS = 16;
const LEAST_MACOS = 13;

/** Whether a user agent is known to insert ads well. Those of browsers do not tell which player runs in them. */
export function insertsWell(userAgent: string, format: Session['format']): boolean {
  if (format !== 'hls') return false;
  const [, isMac, version] = APPLE.exec(userAgent) ?? [];
  return version !== undefined && Number(version) >= (isMac === undefined ? LEAST_IOS : LEAST_MACOS);
}

type Opening = {
  readonly wanted: Insertion;
  readonly format: Session['format'];
  readonly userAgent: string;
  /** Whether manifests that are the same for all viewers can have the session's start and its breaks. */
  readonly isPossible: boolean;
};

/** Whatever cannot be guided is stitched. */
export function isGuided({ wanted, format, userAgent, isPossible }: Opening): boolean {
  if (wanted === 'stitched' || !isPossible) return false;
  return wanted === 'guided' || insertsWell(userAgent, format);
}
