// SPDX-License-Identifier: Apache-2.0
import type { Clip } from '../timeline/asset/clip.ts';

/** The formats that can signal the encryption of a channel's content; undefined when none of it is encrypted. */
export type Signalling = 'hls' | 'dash' | 'both' | undefined;

/** A source signals its encryption in its own format: content imported from HLS has no DASH ContentProtection. */
export function signallingOf(clips: readonly Clip[]): Signalling {
  const protections = clips.flatMap(({ cells }) =>
    cells.flatMap(({ track }) => (track.protection ? [track.protection] : [])),
  );
  if (protections.length === 0) return undefined;
  const inHls = protections.every(({ hls }) => hls !== undefined);
  const inDash = protections.every(({ dash }) => dash !== undefined);
  return inHls && inDash ? 'both' : inHls ? 'hls' : 'dash';
}
