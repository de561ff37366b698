// SPDX-License-Identifier: Apache-2.0
// What stands for text that the origin does not list, and of which no segment is known: text of the slate, which has no cues. A
// gap (EXT-X-GAP) would need the URL of a text segment, and DASH cannot mark gaps.
import { framesPerSecond } from '../../timeline/asset/frameGrid.ts';
import { MEDIA_BASE } from '../../timeline/asset/segmentUrl.ts';
import { isPlainText, STPP } from '../../timeline/ladder/servedText.ts';
import type { LiveFeed } from '../feed.ts';
import type { SlotSegment } from '../slot.ts';

export type EmptyText = Pick<SlotSegment, 'media' | 'init'>;

/** By rung; undefined on rungs with audio or video. */
export function emptyTexts({ ladder, slateId }: Pick<LiveFeed, 'ladder' | 'slateId'>): (EmptyText | undefined)[] {
  return ladder.rungs.map((rung) => {
    if (rung.kind !== 'text') return undefined;
    const first = `${MEDIA_BASE}/m/${slateId}/${framesPerSecond(ladder.frameRate)}/${rung.id}/`;
    if (isPlainText(rung)) return { media: { url: `${first}0.vtt` } };
    const isTtml = rung.codecs.startsWith('stpp');
    return {
      init: { url: first + (isTtml ? STPP.init : 'init.mp4') },
      media: { url: `${first}0${isTtml ? STPP.suffix : '.m4s'}` },
    };
  });
}

/** URLs of origins are absolute. */
export const isEmptyText = ({ media }: Pick<SlotSegment, 'media'>): boolean => media.url.startsWith(MEDIA_BASE);
