// SPDX-License-Identifier: Apache-2.0
// In which formats something can be played. Analyses, plans, sessions and manifests all decide it here, so that none of them
// promises, or advises, what another one refuses.
import type { Protection } from '../asset/asset.ts';
import type { Ladder } from './ladder.ts';

type Format = 'hls' | 'dash';

/** The formats that can signal the encryption of all content; undefined when none of it is encrypted. */
export type Signalling = Format | 'both' | 'neither' | undefined;

export type Servable = {
  readonly ladder: Pick<Ladder, 'container' | 'layout'>;
  readonly signalling?: Signalling;
  /** The formats that can be made of the origin of a live stream. */
  readonly serves?: Format | 'both' | undefined;
};

const NAMES = { hls: 'HLS', dash: 'DASH' } as const;
const otherOf = (format: Format): Format => (format === 'hls' ? 'dash' : 'hls');

/** A source signals its encryption in its own format: content imported from HLS has no DASH ContentProtection. */
export function signalledIn(protections: readonly Protection[]): Signalling {
  if (protections.length === 0) return undefined;
  const inHls = protections.every(({ hls, hlsOfEach }) => hls !== undefined || hlsOfEach !== undefined);
  const inDash = protections.every(({ dash }) => dash !== undefined);
  if (inHls) return inDash ? 'both' : 'hls';
  return inDash ? 'dash' : 'neither';
}

/** Why something cannot be played in a format: the rest of a sentence. @returns undefined if it can */
export function formatFault({ ladder, signalling, serves = 'both' }: Servable, format: Format): string | undefined {
  if (serves !== 'both' && serves !== format) return `its origin is a live stream in ${NAMES[serves]}`;
  if (signalling === 'neither') return 'some of its encrypted content is only signalled in HLS, and some only in DASH';
  if (signalling === otherOf(format)) return `its encrypted content is only signalled in ${NAMES[signalling]}`;
  if (format === 'hls') return undefined;
  if (ladder.container === 'ts') return 'its segments are MPEG-TS; DASH needs fragmented MP4';
  return ladder.layout === 'muxed' ? 'its segments contain audio and video; DASH needs them apart' : undefined;
}

/** Why something can be played in no format; undefined if it can in one. */
export function anyFormatFault(servable: Servable): string | undefined {
  const [inHls, inDash] = [formatFault(servable, 'hls'), formatFault(servable, 'dash')];
  return inHls === undefined || inDash === undefined
    ? undefined
    : `it can be played neither in HLS (${inHls}) nor in DASH (${inDash})`;
}

/** For the caller of a format that is not available: why, and the other one only if that is. */
export function refuseFormat(servable: Servable, format: Format): string | undefined {
  const fault = formatFault(servable, format);
  if (fault === undefined) return undefined;
  const other = otherOf(format);
  const otherFault = formatFault(servable, other);
  const [here, there] = [NAMES[format], NAMES[other]];
  return otherFault === undefined
    ? `This channel is not available in ${here}: ${fault}. Use its ${there} playback URL.`
    : `This channel is not available in ${here}: ${fault}. Nor is it in ${there}: ${otherFault}.`;
}
