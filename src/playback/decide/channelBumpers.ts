// The channel's bumpers for a break, as far as they are made: the planner has them made when the channel is enabled.
// Should they be lost, whoever asks first has them made anew, for the breaks to come.
import type { CreativeLibrary } from '../../ads/creative/creative.ts';
import type { Bumpers } from '../../ads/pod/fitFramedPod.ts';
import { shortestSlate } from '../../timeline/frameGrid.ts';
import type { Airing } from '../onAir/airing.ts';

type Found = { readonly bumpers: Bumpers; readonly warnings: readonly string[] };

/**
 * @param hasBegun for a viewer who joined a break: the time for its intro is over
 * @returns those that can be shown now; a sentence for each that can't
 */
export function channelBumpers({ channel, ladder }: Airing, hasBegun: boolean, library: CreativeLibrary): Found {
  const bumpers: { -readonly [Place in keyof Bumpers]: Bumpers[Place] } = {};
  const warnings: string[] = [];
  const owner = { tenant: channel.tenant, channelId: channel.id };
  for (const place of ['intro', 'outro'] as const) {
    const url = channel.bumpers?.[place];
    if (url === undefined || (hasBegun && place === 'intro')) continue;
    const made = library.prepare(url, { url, mimeType: '' }, ladder, owner);
    const why =
      made.state === 'failed'
        ? made.reason
        : made.state === 'preparing'
          ? 'it is still being made'
          : made.media.frames < shortestSlate(ladder.frameRate)
            ? 'it is too short'
            : undefined;
    if (made.state === 'ready' && why === undefined) {
      bumpers[place] = { mediaId: made.media.id, frames: made.media.frames };
    } else warnings.push(`The channel's ${place} is not shown: ${why}.`);
  }
  return { bumpers, warnings };
}
