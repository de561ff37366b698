// SPDX-License-Identifier: Apache-2.0
// The videos of a channel's house lists, prepared before its breaks.
import type { CreativeLibrary } from '../ads/creative/creative.ts';
import type { Channel } from '../channels/channel.ts';
import { sourceIdsOf } from '../channels/demandFaults.ts';
import type { FindAdSources } from '../channels/ports.ts';
import { houseCreativeUrls } from '../demand/house.ts';
import type { Millis } from '../time/units.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';

export type PrepareHouseDeps = {
  readonly library: Pick<CreativeLibrary, 'prepare'>;
  readonly now: () => Millis;
  /** Absent where no channel has ad sources. */
  readonly findAdSources?: FindAdSources;
};

/** Does not wait for the videos: those that are not ready are left out of breaks. */
export async function prepareHouse(
  { library, now, findAdSources }: PrepareHouseDeps,
  channel: Channel,
  ladder: Ladder,
): Promise<void> {
  const ids = sourceIdsOf(channel);
  if (findAdSources === undefined || ids.length === 0) return;
  const owner = { tenant: channel.tenant, channelId: channel.id };
  const found = await findAdSources(channel.tenant, ids);
  for (const url of houseCreativeUrls([...found.values()], now()))
    library.prepare(url, { url, mimeType: '' }, ladder, owner, true);
}
