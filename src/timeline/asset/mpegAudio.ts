// SPDX-License-Identifier: Apache-2.0
// MPEG audio (MP3 and its older layers), which no channel plays: slate and ads are not encoded in it, and players do not switch
// between it and AAC within a stream.
import type { Asset, Rendition } from './asset.ts';
import { hasAudio } from './asset.ts';

/** Object types 0x69 and 0x6B, and the MPEG-4 numbers of the three layers (RFC 6381 §3.3, ISO/IEC 14496-3 table 1.17). */
const MPEG_AUDIO = /^(mp4a\.(40\.(32|33|34)|69|6b)|\.?mp[23])$/i;

export const isMpegAudio = (codec: string): boolean => MPEG_AUDIO.test(codec.trim());

const hasMpegAudio = ({ codecs }: Rendition): boolean => codecs.split(',').some(isMpegAudio);

/** The renditions that a channel can play. */
export const playableRenditions = ({ renditions }: Asset): Rendition[] =>
  renditions.filter((each) => !hasMpegAudio(each));

/** Why no channel can play the audio of the asset; undefined when one can. */
export function audioFault({ renditions }: Asset): string | undefined {
  const withAudio = renditions.filter(({ kind }) => hasAudio(kind));
  if (withAudio.length === 0 || !withAudio.every(hasMpegAudio)) return undefined;
  const codecs = [...new Set(withAudio.map((each) => each.codecs))].join('; ');
  return `its audio is MP3 or another layer of MPEG audio (${codecs}), which channels cannot play; use AAC, AC-3 or E-AC-3`;
}
