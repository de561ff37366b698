// SPDX-License-Identifier: Apache-2.0
// The assets of a guided break, from the clips of its pod. Shaka Player 5.2 notices the end of an asset with its fifth progress event,
// of which there are four a second: one of less than a second never ends, and playback hangs. So no asset is short.
import { type Flicks, flicks, secondsToFlicks } from '../../time/units.ts';
import type { Span } from '../../timeline/programme/span.ts';

/** Clips that follow each other. */
export type Asset = readonly [Span, ...Span[]];

const LEAST = secondsToFlicks(1.5);

const lengthOf = ({ placed: { clip } }: Span): Flicks => clip.duration;

const durationOf = (spans: readonly Span[]): Flicks => flicks(spans.reduce((sum, span) => sum + lengthOf(span), 0));

/** Each clip is an asset. A short one is in the asset of the clip before it, the first one in that of the clip after it. */
export function assetsOf(clips: readonly Span[]): Asset[] {
  const assets: [Span, ...Span[]][] = [];
  for (const clip of clips) {
    const last = assets.at(-1);
    if (last !== undefined && (durationOf(last) < LEAST || lengthOf(clip) < LEAST)) last.push(clip);
    else assets.push([clip]);
  }
  return assets;
}

/** What is shown of an asset where it can have one Period only. */
export const longestOf = (asset: Asset): Span =>
  asset.reduce((longest, span) => (lengthOf(span) > lengthOf(longest) ? span : longest));
