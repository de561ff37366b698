// SPDX-License-Identifier: Apache-2.0
// What operators can do with creatives: list them with their states, add, retry and delete them.
import { maskUrl } from '../../ads/request/maskSecrets.ts';
import type { Millis } from '../../time/units.ts';
import { hasVideo } from '../../timeline/asset/renditionKind.ts';
import type { MediaStore } from '../package/mediaStore.ts';
import { type AddCreativesDeps, addCreatives, type NewCreatives } from './addCreatives.ts';
import type { CreativeFilter, CreativePage, CreativeRecord } from './creativeJobs.ts';
import type { Thumbnails } from './thumbnails.ts';

export type CreativeAdminDeps = AddCreativesDeps & {
  readonly mediaStore: Pick<MediaStore, 'find' | 'load' | 'usedAt' | 'unname'>;
  readonly thumbnails: Thumbnails;
  /** Called when a creative was added to the queue. */
  readonly onEnqueued: () => void;
  /** Called when the cached state of a creative is no longer valid. */
  readonly onChanged: (id: string) => void;
};

const iso = (time: Millis): string => new Date(time).toISOString();

export function createCreativeAdmin(deps: CreativeAdminDeps) {
  const { jobs, mediaStore, now } = deps;

  /** As the administrative API returns it. */
  async function show(record: CreativeRecord) {
    const { id, order, state, fault, reason, dueAt, attempts, channels, createdAt, madeAt, made } = record;
    const usedAt = made && (await mediaStore.usedAt(made.mediaId));
    const hasThumbnail = made?.isListed !== true && made?.renditions.some(({ kind }) => hasVideo(kind));
    return {
      id,
      kind: order.kind,
      state,
      ...(fault === undefined ? {} : { fault }),
      ...(reason === undefined ? {} : { reason }),
      attempts,
      ...(state === 'waiting' && reason !== undefined ? { nextAttemptAt: iso(dueAt) } : {}),
      ...(order.source ? { source: maskUrl(order.source.url) } : {}),
      channels: [...channels],
      ...(made ? { duration: made.duration, renditions: [...made.renditions], bytes: made.bytes } : {}),
      createdAt: iso(createdAt),
      ...(madeAt === undefined ? {} : { madeAt: iso(madeAt) }),
      ...(usedAt === undefined ? {} : { lastUsedAt: iso(usedAt) }),
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
