// SPDX-License-Identifier: Apache-2.0
// The channel's bumpers for a break, if they are ready. The planner prepares them when the channel is enabled; if they are lost,
// the next decision prepares them again for later breaks.
import { type CreativeLookup, preparingText } from '../../ads/creative/creative.ts';
import type { Bumpers } from '../../ads/pod/fitPod.ts';
import { minSlateFrames } from '../../timeline/asset/frameGrid.ts';
import type { Airing } from '../onAir/airing.ts';

type ReadyBumpers = { readonly bumpers: Bumpers; readonly warnings: readonly string[] };

/**
 * @param hasBegun the viewer joined during the break, so the intro is omitted
 * @returns the bumpers that are ready, and a warning for each that is not
 */
export function channelBumpers(
  { channel, ladder }: AdChannel,
  hasBegun: boolean,
  library: Pick<CreativeLookup, 'prepare'>,
): ReadyBumpers {
  const bumpers: { -readonly [Place in keyof Bumpers]: Bumpers[Place] } = {};
  const warnings: string[] = [];
  const owner = { tenant: channel.tenant, channelId: channel.id };
  for (const place of ['intro', 'outro'] as const) {
    const url = channel.bumpers?.[place];
    if (url === undefined || (hasBegun && place === 'intro')) continue;
    const creative = library.prepare(url, { url, mimeType: '' }, ladder, owner);
    const problem =
      creative.state === 'failed'
        ? creative.reason
        : creative.state === 'preparing'
          ? `it ${preparingText(creative)}`
          : creative.media.frames < minSlateFrames(ladder.frameRate)
            ? 'it is too short'
            : undefined;
    if (creative.state === 'ready' && problem === undefined) {
      bumpers[place] = { mediaId: creative.media.id, frames: creative.media.frames };
    } else warnings.push(`The channel's ${place} is not shown: ${problem}.`);
  }
  return { bumpers, warnings };
}

/** A channel of either kind, as decisions about its ads need it. */
export type AdChannel = Pick<Airing, 'channel' | 'ladder'>;
