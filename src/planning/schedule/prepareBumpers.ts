// SPDX-License-Identifier: Apache-2.0
// The bumpers of the entries of a schedule, prepared before those air.
import type { CreativeLibrary } from '../../ads/creative/creative.ts';
import { bumperProblem, bumpersOf } from '../../ads/pod/bumpers.ts';
import type { Channel } from '../../channels/channel.ts';
import type { Millis } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { WindowEntry } from './scheduleWindow.ts';

/** Milliseconds after which those that have not been tried yet are looked at again. */
const LOOK_AGAIN_MS = 60_000;

/**
 * @param ladder undefined as long as the channel shows nothing
 * @param entries those that have been read are on air or will be within hours
 * @returns `planAt`: when more is known about those that are being prepared
 */
export function prepareBumpers(
  { library, now }: { readonly library: Pick<CreativeLibrary, 'prepare'>; readonly now: () => Millis },
  channel: Channel,
  ladder: Ladder | undefined,
  entries: readonly WindowEntry[],
): { readonly faults: readonly string[]; readonly planAt: number } {
  if (ladder === undefined) return { faults: [], planAt: Number.POSITIVE_INFINITY };
  const owner = { tenant: channel.tenant, channelId: channel.id };
  const own = entries.flatMap(({ entry: { id, bumpers }, media, at, length }) =>
    bumpers && media && !(length !== undefined && at + length < now())
      ? bumpersOf(channel, { entryId: id, ...bumpers })
      : [],
  );
  const faults: string[] = [];
  let planAt = Number.POSITIVE_INFINITY;
  for (const { url, name } of own) {
    const creative = library.prepare(url, { url, mimeType: '' }, ladder, owner, true);
    const isMade = creative.state !== 'preparing';
    if (!isMade && creative.failure === undefined) planAt = now() + LOOK_AGAIN_MS;
    const problem = isMade ? bumperProblem(creative, ladder) : creative.failure?.reason;
    if (problem !== undefined) faults.push(`${name} is not shown: ${problem}.`);
  }
  return { faults, planAt };
}
