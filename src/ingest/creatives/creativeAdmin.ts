// SPDX-License-Identifier: Apache-2.0
// What operators can do with creatives: list them with their states, add, retry and delete them.
import type { CreativeState } from '../../ads/creative/creative.ts';
import { chooseMediaFiles, type KeyedSource } from '../../ads/pod/chooseMediaFiles.ts';
import type { AdRequestOutcome } from '../../ads/record/breakRecord.ts';
import { maskUrl } from '../../ads/request/maskSecrets.ts';
import type { ChannelRef } from '../../channels/channelKey.ts';
import type { ChannelStore } from '../../channels/ports.ts';
import { AppError, type FieldError, fieldError } from '../../errors.ts';
import { isNonEmpty, type NonEmpty, withoutUndefined } from '../../invariant.ts';
import { isoText, type Millis } from '../../time/units.ts';
import { hasVideo } from '../../timeline/asset/asset.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { fillMacros } from '../../vast/macros.ts';
import { mediaId } from '../condition/plan/planEncode.ts';
import type { MediaStore } from '../package/mediaStore.ts';
import {
  type CreativeFilter,
  type CreativeJobs,
  type CreativePage,
  type CreativeRecord,
  type CreativeRequest,
  shownState,
  summarizeMedia,
  URGENCY,
} from './creativeJobs.ts';
import type { Thumbnails } from './thumbnails.ts';

type CreativeAdminDeps = AddCreativesDeps & {
  readonly mediaStore: Pick<MediaStore, 'find' | 'load' | 'usedAt' | 'unname'>;
  readonly thumbnails: Thumbnails;
  readonly onEnqueued: () => void;
  /** Called when the cached state of a creative is no longer valid. */
  readonly onChanged: (id: string) => void;
};

export function createCreativeAdmin(deps: CreativeAdminDeps) {
  const { jobs, mediaStore, now } = deps;

  async function show(record: CreativeRecord) {
    const { id, order, ad, fault, reason, dueAt, attempts, channels, createdAt, madeAt, made } = record;
    const usedAt = made && (await mediaStore.usedAt(made.mediaId));
    const hasThumbnail = made?.isListed !== true && made?.renditions.some(({ kind }) => hasVideo(kind));
    return {
      id,
      kind: order.kind,
      state: shownState(record),
      ...withoutUndefined({ fault, reason, ...ad }),
      attempts,
      ...(record.state === 'waiting' && reason !== undefined ? { nextAttemptAt: isoText(dueAt) } : {}),
      ...(order.source ? { source: maskUrl(order.source.url) } : {}),
      channels: [...channels],
      ...(made ? { duration: made.duration, renditions: [...made.renditions], bytes: made.bytes } : {}),
      createdAt: isoText(createdAt),
      ...(madeAt === undefined ? {} : { madeAt: isoText(madeAt) }),
      ...(usedAt === undefined ? {} : { lastUsedAt: isoText(usedAt) }),
      ...(hasThumbnail ? { thumbnail: `/api/v2/assets/${id}/thumbnail` } : {}),
    };
  }

  return {
    add: async (tenant: string, creatives: NewCreatives) => {
      const added = await addCreatives(deps, tenant, creatives);
      if ('faults' in added) return added;
      deps.onEnqueued();
      const records = await Promise.all(added.ids.map((id) => jobs.find(tenant, id)));
      const assets = await Promise.all(records.flatMap((record) => (record ? [show(record)] : [])));
      return { assets, skipped: [...added.skipped], warnings: [...added.warnings] };
    },
    list: async (tenant: string, filter: CreativeFilter, page: CreativePage) => {
      const { items, ...rest } = await jobs.list(tenant, filter, page);
      return { ...rest, items: await Promise.all(items.map(show)) };
    },
    find: async (tenant: string, id: string) => {
      const record = await jobs.find(tenant, id);
      return record && show(record);
    },
    retry: async (tenant: string, id: string) => {
      if (!(await jobs.retry(tenant, id, now()))) return;
      deps.onChanged(id);
      deps.onEnqueued();
    },
    /** @returns false if the tenant has no such creative */
    remove: async (tenant: string, id: string) => {
      const removed = await jobs.remove(tenant, id);
      if (removed === undefined) return false;
      // `kept` means that another tenant has the creative as well.
      if (removed === 'gone') await mediaStore.unname(id);
      deps.onChanged(id);
      return true;
    },
    thumbnail: async (tenant: string, id: string) => {
      const { made } = (await jobs.find(tenant, id)) ?? {};
      return made && deps.thumbnails.of(made.mediaId);
    },
  };
}

// Operators can have creatives made before a viewer needs them: by the URL of a media file, or by a VAST document.

type AddCreativesDeps = {
  readonly jobs: CreativeJobs;
  readonly mediaStore: Pick<MediaStore, 'find' | 'load'>;
  readonly channels: Pick<ChannelStore, 'enabled' | 'find'>;
  /** The ladders of a channel that is on air: one, or one for each origin. */
  readonly laddersOf: (channel: ChannelRef) => readonly Ladder[];
  /** The ads of a VAST document, read as for a request of this channel. */
  readonly readVast: (vast: VastSource, channelId: string) => Promise<AdRequestOutcome>;
  readonly now: () => Millis;
};

type VastSource = { readonly url: string } | { readonly document: string };

/** The body of a request: exactly one of the first three fields is set. */
type NewCreatives = {
  readonly mediaUrl?: string;
  readonly vastUrl?: string;
  readonly vast?: string;
  /** All channels on air if absent. */
  readonly channels?: readonly string[];
};

/** An ad of a VAST document that has no creative for the ladder. */
type SkippedAd = {
  readonly adId: string;
  readonly title?: string;
  readonly reason: { readonly code: string; readonly text: string };
};

type AddedCreatives =
  | { readonly faults: FieldError[] }
  | { readonly ids: readonly string[]; readonly skipped: readonly SkippedAd[]; readonly warnings: readonly string[] };

/** Creatives per request, and waiting creatives of a tenant after which requests are refused. */
const MAX_ADDED = 500;
const MAX_WAITING = 5000;

type ChannelLadder = { readonly channelId: string; readonly ladder: Ladder };
type Found = Exclude<AddedCreatives, { faults: FieldError[] }> & { readonly requests: readonly CreativeRequest[] };

/**
 * Queues the creatives for the ladders of the channels.
 * @returns the faults of the request, or the ids of the creatives
 * @throws {AppError} CONFLICT if no channel has a ladder, a named channel has none, or too many creatives wait
 */
async function addCreatives(deps: AddCreativesDeps, tenant: string, wanted: NewCreatives): Promise<AddedCreatives> {
  const { mediaUrl, vastUrl, vast, channels } = wanted;
  const counts = (['waiting', 'failing'] as const).map((state) =>
    deps.jobs.list(tenant, { state }, { offset: 0, limit: 1 }),
  );
  const total = (await Promise.all(counts)).reduce((sum, listed) => sum + listed.total, 0);
  if (total >= MAX_WAITING)
    throw new AppError('CONFLICT', `${total} assets are waiting to be prepared. Retry when some of them are ready.`);
  const ladders = await laddersOf(deps, tenant, channels);
  if ('faults' in ladders) return ladders;
  const found =
    mediaUrl === undefined
      ? await fromVast(deps, tenant, ladders, vastUrl === undefined ? { document: vast ?? '' } : { url: vastUrl })
      : fromUrl(tenant, ladders, mediaUrl);
  if ('faults' in found) return found;
  const { requests, ...added } = found;
  if (requests.length > MAX_ADDED) {
    const text = `must lead to at most ${MAX_ADDED} creatives; it leads to ${requests.length}`;
    return { faults: [fieldError('maxItems', '', text)] };
  }
  await deps.jobs.enqueue(await withMedia(deps, requests), deps.now());
  return added;
}

async function laddersOf(
  { channels, laddersOf: ladders }: AddCreativesDeps,
  tenant: string,
  named: readonly string[] | undefined,
): Promise<NonEmpty<ChannelLadder> | { faults: FieldError[] }> {
  const withLadders = (channel: ChannelRef): ChannelLadder[] =>
    ladders(channel).map((ladder) => ({ channelId: channel.id, ladder }));
  if (named === undefined) {
    const enabled = (await channels.enabled()).filter((channel) => channel.tenant === tenant);
    return someOf(enabled.flatMap(withLadders));
  }
  const faults: FieldError[] = [];
  const found: ChannelLadder[] = [];
  for (const [index, id] of named.entries()) {
    const channel = await channels.find(tenant, id);
    if (channel?.state !== 'enabled') {
      const text = `must be the id of an enabled channel; got "${id.slice(0, 128)}"`;
      faults.push(fieldError('exists', `/channels/${index}`, text));
      continue;
    }
    const own = withLadders(channel);
    if (own.length === 0)
      throw new AppError('CONFLICT', `Channel ${id} is not on air yet, so it has no ladder. Retry soon.`);
    found.push(...own);
  }
  return faults.length > 0 ? { faults } : someOf(found);
}

function someOf(ladders: readonly ChannelLadder[]): NonEmpty<ChannelLadder> {
  if (isNonEmpty(ladders)) return ladders;
  throw new AppError('CONFLICT', 'No channel is on air, so there is no ladder. Enable a channel first.');
}

/** Adds the media that exist: without its media, a finished job would be made again. */
async function withMedia({ mediaStore }: AddCreativesDeps, requests: Found['requests']): Promise<CreativeRequest[]> {
  if (!(await mediaStore.load(idsOf(requests))))
    throw new AppError('UNAVAILABLE', 'The object store of media does not respond. Retry soon.');
  return requests.map((request) => {
    const existing = mediaStore.find(request.order.id);
    return existing === undefined ? request : { ...request, made: summarizeMedia(existing, request.order.ladder) };
  });
}

function requestFor(tenant: string, on: ChannelLadder, { key, source }: KeyedSource): CreativeRequest {
  const { channelId, ladder } = on;
  const id = mediaId('creative', key, ladder);
  return { order: { id, kind: 'creative', source, ladder }, urgency: URGENCY.ahead, owner: { tenant, channelId } };
}

const idsOf = (requests: readonly CreativeRequest[]): string[] => [...new Set(requests.map(({ order }) => order.id))];

function fromUrl(tenant: string, ladders: readonly ChannelLadder[], mediaUrl: string): Found {
  const source = { key: mediaUrl, source: { url: mediaUrl, mimeType: '' } };
  const requests = ladders.map((ladder) => requestFor(tenant, ladder, source));
  return { requests, ids: idsOf(requests), skipped: [], warnings: [] };
}

/** Codes of documents that are valid VAST but have no ad to show. */
const WITHOUT_ADS: ReadonlySet<string> = new Set(['NO_ADS', 'NO_AD_SHOWN']);

async function fromVast(
  deps: AddCreativesDeps,
  tenant: string,
  ladders: NonEmpty<ChannelLadder>,
  vast: VastSource,
): Promise<Found | { faults: FieldError[] }> {
  const { reason, ads, dropped, warnings, variables } = await deps.readVast(vast, ladders[0].channelId);
  if (reason !== undefined && ads.length === 0 && !WITHOUT_ADS.has(reason.code)) {
    const text = `must lead to valid VAST. ${reason.text.replace(/\.$/, '')}`;
    return { faults: [fieldError('vast', 'url' in vast ? '/vastUrl' : '/vast', text)] };
  }
  const skipped: SkippedAd[] = dropped.map(({ id, title, skip }) => ({
    adId: id,
    ...(title ? { title } : {}),
    reason: skip,
  }));
  const requests = ads.flatMap(({ ad }) => {
    const choices = ladders.map((on) => ({ on, choice: chooseMediaFiles(ad, on.ladder) }));
    const [first] = choices;
    if (first && 'code' in first.choice)
      skipped.push({ adId: ad.id ?? '', ...(ad.adTitle ? { title: ad.adTitle } : {}), reason: first.choice });
    return choices.flatMap(({ on, choice }) => {
      if ('code' in choice) return [];
      const [best] = choice.sources;
      if (best === undefined) return [];
      const { key, source } = best;
      const url = fillMacros(source.url, variables ?? (() => undefined));
      return [requestFor(tenant, on, { key, source: { ...source, url } })];
    });
  });
  return { requests, ids: idsOf(requests), skipped, warnings: [...warnings] };
}

type InspectorDeps = {
  readonly mediaStore: Pick<MediaStore, 'find' | 'load'>;
  readonly jobs: Pick<CreativeJobs, 'states'>;
};

/** The state of a creative, by its key, for someone who inspects it: it is neither requested nor marked as used. */
export function createCreativeInspector({ mediaStore, jobs }: InspectorDeps) {
  return async (key: string, ladder: Ladder): Promise<CreativeState> => {
    const id = mediaId('creative', key, ladder);
    await mediaStore.load([id]);
    const media = mediaStore.find(id)?.media;
    if (media !== undefined) return { state: 'ready', media };
    const [job] = await jobs.states([id]);
    if (job === undefined) return { state: 'preparing', stage: 'absent' };
    if (job.state === 'preparing') return { state: 'preparing', stage: 'making' };
    // Media that are ready according to the queue and missing are made again.
    if (job.state === 'ready' || job.reason === undefined) return { state: 'preparing', stage: 'waiting' };
    return { state: 'failed', fault: job.fault ?? 'NOT_MADE', reason: job.reason };
  };
}
