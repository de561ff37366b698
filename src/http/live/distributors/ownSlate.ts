// SPDX-License-Identifier: Apache-2.0
// The view of a distributor with a slate of its own: breaks show the same segments of another slate. Slate of one length has the same
// segments whatever it shows (timeline/asset/frameGrid.ts), so numbers and times are those of the channel.
import { LRUCache } from 'lru-cache';
import { MissingMedia } from '../../../ads/placement/breakClips.ts';
import { memo, noMemos } from '../../../cache/memo.ts';
import type { Airing } from '../../../playback/onAir/airing.ts';
import type { ChannelView } from '../../../playback/view/channelView.ts';
import { flicksToSeconds } from '../../../time/units.ts';
import { type Clip, cellOf } from '../../../timeline/asset/clip.ts';
import { secondsToFrames } from '../../../timeline/asset/frameGrid.ts';
import type { Span } from '../../../timeline/programme/span.ts';

/** Of a span; more distributors share them. */
const MAX_SLATES = 100;
const limits = { maxSize: MAX_SLATES, sizeCalculation: () => 1 };
const known = memo((_: Span) => new LRUCache<string, Span>(limits));

/** @param slateId of media that are ready */
export const withSlate = (view: ChannelView, slateId: string): ChannelView => ({
  ...view,
  spans: view.spans.map((span) => spanWith(span, slateId, view.airing)),
});

function spanWith(span: Span, slateId: string, airing: Airing): Span {
  if ((span.break ?? span.within) === undefined || span.placed.clip.kind !== 'slate') return span;
  const others = known(span);
  const shown = others.get(slateId) ?? replaced(span, slateId, airing);
  if (shown !== span) others.set(slateId, shown);
  return shown;
}

function replaced(span: Span, slateId: string, { clips, ladder }: Airing): Span {
  const { clip } = span.placed;
  const frames = secondsToFrames(flicksToSeconds(clip.asset.duration), ladder.frameRate);
  try {
    const other = clips.slate(slateId, frames, frames, clip.sound);
    if (!clip.ends.every((end, rung) => end <= (other.ends[rung] ?? 0))) return span;
    return { ...span, placed: { ...span.placed, clip: sameSegments(clip, other) }, memos: noMemos() };
  } catch (error) {
    // The media are made again.
    if (error instanceof MissingMedia) return span;
    throw error;
  }
}

const sameSegments = (clip: Clip, { asset, cells }: Clip): Clip => ({
  ...clip,
  asset,
  cells: cells.map((cell, rung) => ({ ...cell, first: cellOf(clip, rung).first, end: cellOf(clip, rung).end })),
});
