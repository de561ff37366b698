// SPDX-License-Identifier: Apache-2.0
// The status of a VoD channel: imports the assets that its playlist names, and says which breaks they get. Nothing goes on air;
// sessions are opened from the same imports.
import type { VodChannel } from '../../channels/channel.ts';
import { type CueReport, landCuePoints, requestedAt } from '../../channels/cuePoints.ts';
import type { ContentItem } from '../../channels/playlist.ts';
import type { PlaylistStore } from '../../channels/ports.ts';
import { flicksToSeconds } from '../../time/units.ts';
import { planCuePoints } from '../../vod/planCuePoints.ts';
import { makeTitle, type Title } from '../../vod/title.ts';
import type { AssetSource } from '../ports.ts';
import { itemFaults, joinSentences, type PlanOf } from '../preparation.ts';
import { type PrepareHouseDeps, prepareHouse } from '../prepareHouse.ts';
import { type FoundItem, findItems } from '../readySchedule.ts';
import type { ChannelStatus, ItemStatus } from '../status.ts';
import { channelContents, hasPlaceholder, titleOf } from './titleSource.ts';

export type PlanVodDeps = PrepareHouseDeps & {
  readonly playlists: Pick<PlaylistStore, 'find'>;
  readonly assets: AssetSource;
  readonly onTitle?: (channel: VodChannel, title: Title) => void;
};

/** A cue point past the end of its item makes no break; on linear channels, it moves to the end. */
function cueReports(item: ContentItem, alone: Title, breakDuration: number | undefined): CueReport[] {
  const [own] = alone.items;
  if (own === undefined) return [];
  const { reports } = landCuePoints(item, own.asset, own.renditions, alone.ladder.frameRate, breakDuration);
  const late = planCuePoints(alone, [item], breakDuration).dropped.filter(({ code }) => code === 'PAST_THE_END');
  return reports.map((report, index): CueReport => {
    const cuePoint = item.cuePoints?.[index];
    const requested = cuePoint && requestedAt(cuePoint, item, own.asset);
    const dropped = late.find((one) => one.requested === requested);
    return dropped === undefined ? report : { spliceTime: report.spliceTime, reason: dropped.text };
  });
}

function statusOf(
  { index, item, found }: FoundItem,
  title: Title | undefined,
  { breakDuration }: VodChannel,
): ItemStatus {
  const known = { index, ...(item.url === undefined ? {} : { url: item.url }) };
  if (item.url === undefined) return { ...known, state: 'ready' };
  if (!found.ok) return { ...known, state: 'failed', reason: found.reason };
  const { asset, key } = found;
  const measured = { ...known, duration: flicksToSeconds(asset.duration), warnings: [...asset.warnings] };
  const alone = makeTitle([{ key, asset }]);
  if (!title?.items.some((one) => one.key === key)) {
    const [misfit] = 'misfits' in alone ? alone.misfits : [];
    const reason = misfit?.reason ?? 'it cannot be mixed with the first item';
    return { ...measured, state: 'leftOut', reason };
  }
  const cuePoints = 'misfits' in alone ? [] : cueReports(item, alone, breakDuration);
  return { ...measured, state: 'ready', ...(cuePoints.length > 0 ? { cuePoints } : {}) };
}

export async function planVodChannel(plan: PlanOf<PlanVodDeps, VodChannel>): Promise<ChannelStatus> {
  const { channel, freshAfter, planning } = plan;
  const { playlists, assets, library, onTitle } = plan.deps;
  const requested = await channelContents(channel, playlists);
  if (requested.state !== 'found') {
    const stateReason = requested.state === 'unavailable' ? requested.reason : requested.message;
    return { state: 'failed', stateReason, items: [] };
  }
  const { contents } = requested;
  planning.contents = contents;
  const items = await findItems(contents, assets, freshAfter, planning.results);
  const made = titleOf(items, makeTitle);
  if (made !== undefined) {
    onTitle?.(channel, made.title);
    const owner = { tenant: channel.tenant, channelId: channel.id };
    for (const url of Object.values(channel.bumpers ?? {}))
      library.prepare(url, { url, mimeType: '' }, made.title.ladder, owner, true);
    await prepareHouse(plan.deps, channel, made.title.ladder);
  }
  const statuses = items.map((item) => statusOf(item, made?.title, channel));
  const faults = itemFaults(statuses);
  if (hasPlaceholder(contents) && (channel.contentHosts ?? []).length === 0)
    faults.unshift(
      'The playlist has a placeholder, but the channel allows no content hosts, so that no content can be requested.',
    );
  const isPlayable = made !== undefined || hasPlaceholder(contents);
  const stateReason = faults.length === 0 ? {} : { stateReason: joinSentences(faults) };
  return { state: isPlayable ? 'enabled' : 'failed', ...stateReason, items: statuses };
}
