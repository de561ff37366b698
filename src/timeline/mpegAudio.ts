// MPEG audio (MP3 and its older layers): sound that no channel plays, because slate and ads are not made in it and players do
// not change between it and AAC inside a stream.
import type { Asset, Rendition } from './asset.ts';
import { hasAudio } from './renditionKind.ts';

/** Object types 0x69 and 0x6B, and MPEG-4's numbers for the three layers (RFC 6381 §3.3, ISO/IEC 14496-3 table 1.17). */
const MPEG_AUDIO = /^(mp4a\.(40\.(32|33|34)|69|6b)|\.?mp[23])$/i;

export const isMpegAudio = (codec: string): boolean => MPEG_AUDIO.test(codec.trim());

const hasMpegAudio = ({ codecs }: Rendition): boolean => codecs.split(',').some(isMpegAudio);

/** The renditions that a channel can play. */
export const playableOf = ({ renditions }: Asset): Rendition[] => renditions.filter((each) => !hasMpegAudio(each));

/** Why no channel plays the asset; undefined when one may. */
export function soundFault({ renditions }: Asset): string | undefined {
  const heard = renditions.filter(({ kind }) => hasAudio(kind));
  if (heard.length === 0 || !heard.every(hasMpegAudio)) return undefined;
  const codecs = [...new Set(heard.map((each) => each.codecs))].join('; ');
  return `its sound is MP3 or another layer of MPEG audio (${codecs}), and slate and ads are not made in that; AAC, AC-3 or E-AC-3 is wanted`;
}
