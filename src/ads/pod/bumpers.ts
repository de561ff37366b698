// SPDX-License-Identifier: Apache-2.0
// Which clips frame the ads of a break, and whether they can.
import { minSlateFrames } from '../../timeline/asset/frameGrid.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { BumperUrls, EntryBumpers } from '../../timeline/programme/span.ts';
import { type CreativeState, preparingText } from '../creative/creative.ts';

type NamedBumper = {
  readonly place: 'intro' | 'outro';
  readonly url: string;
  /** For people. */
  readonly name: string;
};

/** The bumpers of a break: those of its entry, if that has its own, even if it has none; else those of the channel. */
export function bumpersOf({ bumpers }: { readonly bumpers?: BumperUrls }, own?: EntryBumpers): NamedBumper[] {
  const urls: BumperUrls = own ?? bumpers ?? {};
  return (['intro', 'outro'] as const).flatMap((place) => {
    const url = urls[place];
    if (url === undefined) return [];
    return [{ place, url, name: own ? `The ${place} of entry "${own.entryId}"` : `The channel's ${place}` }];
  });
}

/** What is true of a bumper that cannot be shown, after its name. */
export function bumperProblem(creative: CreativeState, { frameRate }: Pick<Ladder, 'frameRate'>): string | undefined {
  if (creative.state === 'failed') return creative.reason;
  if (creative.state === 'preparing') return `it ${preparingText(creative)}`;
  return creative.media.frames < minSlateFrames(frameRate) ? 'it is too short' : undefined;
}
