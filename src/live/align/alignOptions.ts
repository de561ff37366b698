// SPDX-License-Identifier: Apache-2.0
// What the alignment has to know about the rungs of a feed.

import { FLICKS_PER_MILLI, FLICKS_PER_SECOND, type Flicks, flicks } from '../../time/units.ts';
import { framesPerSecond } from '../../timeline/asset/frameGrid.ts';
import { MEDIA_BASE } from '../../timeline/asset/segmentUrl.ts';
import { isPlainText, STPP } from '../../timeline/ladder/servedText.ts';
import type { LiveFeed } from '../feed.ts';
import type { SlotSegment } from '../slot.ts';

export type AlignOptions = {
  /** Milliseconds: the target duration of the feed. */
  readonly target?: number;
  /** Milliseconds of the origin's window that a new log starts with. */
  readonly history: number;
  /** The rungs with text. Their segments may be cut off anywhere, and the edge does not wait for them for long. */
  readonly textRungs?: readonly number[];
  /** By rung: ticks per second of its media times; absent for text. */
  readonly timescales?: readonly (number | undefined)[];
  /** By rung: what stands for text if no segment of it is known. */
  readonly emptyTexts?: readonly (EmptyText | undefined)[];
  /** By rung: how far its borders may be from those of the first rung and still be the same. Default `REACH`. */
  readonly reach?: readonly Flicks[];
};

/**
 * The default of `reach`: more than an audio frame at 44.1 kHz (1024 samples, 23.2 ms), and rounding to a millisecond.
 */
export const REACH = flicks(25 * FLICKS_PER_MILLI);

export function alignOptionsOf(feed: LiveFeed, history: number): AlignOptions & { readonly target: number } {
  const { ladder, rungs } = feed;
  return {
    history,
    target: 1000 * ladder.targetDuration,
    emptyTexts: emptyTexts(feed),
    textRungs: ladder.rungs.flatMap(({ kind }, index) => (kind === 'text' ? [index] : [])),
    timescales: rungs.map(({ kind, timescale }) => (kind === 'text' ? undefined : timescale)),
    reach: rungs.map(({ kind, codecs, sampleRate }) => (kind === 'audio' ? audioReach(codecs, sampleRate) : REACH)),
  };
}

/**
 * Each border may be half a frame away from video's, so two may differ by a frame. HE-AAC has frames of 2048 samples
 * (ISO/IEC 14496-3 §4.5.1.1), AC-3 of 1536 (ETSI TS 102 366 §4.1).
 */
function audioReach(codecs: string, sampleRate = 48_000): Flicks {
  const samples = /mp4a\.40\.(5|29)\b/.test(codecs) ? 2048 : /(ac-3|ec-3)/.test(codecs) ? 1536 : 1024;
  const frame = (samples * FLICKS_PER_SECOND) / Math.max(sampleRate, 8000);
  return flicks(Math.max(REACH, Math.ceil(frame) + FLICKS_PER_MILLI));
}

// What stands for text that the origin does not list, and of which no segment is known: text of the slate, which has no cues. A
// gap (EXT-X-GAP) would need the URL of a text segment, and DASH cannot mark gaps.

export type EmptyText = Pick<SlotSegment, 'media' | 'init'>;

/** What stands for text on each rung; undefined on rungs with audio or video. */
function emptyTexts({ ladder, slateId }: Pick<LiveFeed, 'ladder' | 'slateId'>): (EmptyText | undefined)[] {
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
