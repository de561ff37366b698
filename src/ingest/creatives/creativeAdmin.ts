// What an operator sees and says of creatives: the list with what became of each, and those that are to be made before a
// viewer comes. It knows tenants and channels; it makes nothing itself.

import { chooseMediaFiles, type KeyedSource } from '../../ads/pod/chooseMediaFiles.ts';
import type { AdRequestOutcome } from '../../ads/record/adRequestOutcome.ts';
import { maskUrl } from '../../ads/request/maskSecrets.ts';
import type { ChannelRef } from '../../channels/channelKey.ts';
import type { ChannelStore, Page } from '../../channels/ports.ts';
import { AppError, type FieldError, fieldError } from '../../errors.ts';
import type { Millis } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { fillMacros } from '../../vast/macros.ts';
import { mediaId } from '../condition/plan/mediaId.ts';
import type { MediaStore } from '../package/mediaStore.ts';
import {
  type CreativeFilter,
  type CreativeJobs,
  type CreativeRecord,
  type CreativeRequest,
  URGENCY,
} from './creativeJobs.ts';
import { summarizeMedia } from './summarizeMedia.ts';
import type { Thumbnails } from './thumbnails.ts';

export type CreativeAdminDeps = {
  readonly jobs: CreativeJobs;
  readonly mediaStore: Pick<MediaStore, 'find' | 'usedAt' | 'unname'>;
  readonly thumbnails: Thumbnails;
  readonly channels: Pick<ChannelStore, 'enabled' | 'find'>;
  /** Of a channel that is on air. */
  readonly ladderOf: (channel: ChannelRef) => Ladder | undefined;
  /** What a VAST document offers. */
  readonly readVast: (
    vast: { readonly url: string } | { readonly document: string },
    channelId: string,
  ) => Promise<AdRequestOutcome>;
  readonly now: () => Millis;
  /** Called when there is something new to make, and when what was believed of a creative is no longer true. */
  readonly onAsked: () => void;
  readonly onChanged: (id: string) => void;
};

export type Wanted = {
  readonly mediaUrl?: string;
  readonly vastUrl?: string;
  readonly vast?: string;
  readonly channels?: readonly string[];
};

type Laddered = { readonly channelId: string; readonly ladder: Ladder };
type Skipped = {
  readonly adId: string;
  readonly title?: string;
  readonly reason: { readonly code: string; readonly text: string };
};

/** Creatives that one request may name, and that may wait for a tenant before more are taken. */
const MOST_ADDED = 500;
const MOST_WAITING = 5000;

const iso = (time: Millis): string => new Date(time).toISOString();

export function createCreativeAdmin(deps: CreativeAdminDeps) {
  const { jobs, mediaStore, now } = deps;

  async function show(record: CreativeRecord) {
    const { id, order, state, fault, reason, dueAt, attempts, channels, createdAt, madeAt, made } = record;
    const usedAt = made && (await mediaStore.usedAt(made.mediaId));
    const hasPicture =
      made?.isListed !== true && made?.renditions.some(({ kind }) => kind === 'video' || kind === 'muxed');
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
      ...(hasPicture ? { thumbnail: `/api/v2/assets/${id}/thumbnail` } : {}),
    };
  }

  /** @throws {AppError} CONFLICT when there is a channel without a ladder, or no channel at all */
  async function ladders(tenant: string, named: readonly string[] | undefined): Promise<Laddered[] | FieldError[]> {
    if (named === undefined) {
      const enabled = (await deps.channels.enabled()).filter((channel) => channel.tenant === tenant);
      const found = enabled.flatMap((channel) => laddered(channel) ?? []);
      if (found.length === 0)
        throw new AppError('CONFLICT', 'No channel is on air, so there is no ladder to make creatives for.');
      return found;
    }
    const faults: FieldError[] = [];
    const found: Laddered[] = [];
    for (const [index, id] of named.entries()) {
      const channel = await deps.channels.find(tenant, id);
      if (channel?.state !== 'enabled') {
        const message = `must be the id of an enabled channel; got "${id.slice(0, 128)}"`;
        faults.push(fieldError('exists', `/channels/${index}`, message));
        continue;
      }
      const on = laddered(channel);
      if (on === undefined)
        throw new AppError('CONFLICT', `Channel ${id} is not on air yet, so it has no ladder; try again soon.`);
      found.push(on);
    }
    return faults.length > 0 ? faults : found;
  }

  function laddered(channel: ChannelRef): Laddered | undefined {
    const ladder = deps.ladderOf(channel);
    return ladder && { channelId: channel.id, ladder };
  }

  const asked = (tenant: string, { channelId, ladder }: Laddered, { key, source }: KeyedSource): CreativeRequest => {
    const id = mediaId('creative', key, ladder);
    const there = mediaStore.find(id);
    return {
      order: { id, kind: 'creative', source, ladder },
      urgency: URGENCY.ahead,
      owner: { tenant, channelId },
      ...(there ? { made: summarizeMedia(there, ladder) } : {}),
    };
  };

  async function add(tenant: string, { mediaUrl, vastUrl, vast, channels }: Wanted) {
    const { total } = await jobs.list(tenant, { state: 'waiting' }, { offset: 0, limit: 1 });
    if (total >= MOST_WAITING)
      throw new AppError('CONFLICT', `${total} assets wait to be made already; wait until some are ready.`);
    const found = await ladders(tenant, channels);
    if (isFaults(found)) return { faults: found };
    const skipped: Skipped[] = [];
    let warnings: readonly string[] = [];
    let wanted: CreativeRequest[];
    if (mediaUrl !== undefined) {
      const source = { key: mediaUrl, source: { url: mediaUrl, mimeType: '' } };
      wanted = found.map((on) => asked(tenant, on, source));
    } else {
      const answer = await deps.readVast(
        vastUrl === undefined ? { document: vast! } : { url: vastUrl },
        found[0]!.channelId,
      );
      const name = vastUrl === undefined ? 'vast' : 'vastUrl';
      if (answer.reason !== undefined && answer.ads.length === 0 && !tellsAds.has(answer.reason.code))
        return {
          faults: [fieldError('vast', `/${name}`, `must lead to VAST. ${answer.reason.text.replace(/\.$/, '')}`)],
        };
      warnings = answer.warnings;
      skipped.push(
        ...answer.dropped.map(({ id, title, skip }) => ({ adId: id, ...(title ? { title } : {}), reason: skip })),
      );
      wanted = answer.ads.flatMap(({ ad }) => {
        const named = { adId: ad.id ?? '', ...(ad.adTitle ? { title: ad.adTitle } : {}) };
        const chosen = found.map((on) => ({ on, choice: chooseMediaFiles(ad, on.ladder) }));
        const [first] = chosen;
        if (first && 'code' in first.choice) skipped.push({ ...named, reason: first.choice });
        return chosen.flatMap(({ on, choice }) => {
          if ('code' in choice) return [];
          const { key, source } = choice.sources[0]!;
          return [
            asked(tenant, on, {
              key,
              source: { ...source, url: fillMacros(source.url, answer.variables ?? (() => undefined)) },
            }),
          ];
        });
      });
    }
    if (wanted.length > MOST_ADDED) {
      const text = `must name fewer: it makes ${wanted.length} creatives, and ${MOST_ADDED} are the most at a time`;
      return { faults: [fieldError('maxItems', '', text)] };
    }
    await jobs.ask(wanted, now());
    deps.onAsked();
    const ids = [...new Set(wanted.map(({ order }) => order.id))];
    const records = await Promise.all(ids.map((id) => jobs.find(tenant, id)));
    const assets = await Promise.all(records.flatMap((record) => (record ? [show(record)] : [])));
    return { assets, skipped, warnings: [...warnings] };
  }

  return {
    add,
    list: async (tenant: string, filter: CreativeFilter, page: Page) => {
      const { total, items } = await jobs.list(tenant, filter, page);
      return { total, items: await Promise.all(items.map(show)) };
    },
    find: async (tenant: string, id: string) => {
      const record = await jobs.find(tenant, id);
      return record && show(record);
    },
    retry: async (tenant: string, id: string) => {
      if (!(await jobs.retry(tenant, id, now()))) return;
      deps.onChanged(id);
      deps.onAsked();
    },
    remove: async (tenant: string, id: string) => {
      const removed = await jobs.remove(tenant, id);
      if (removed === undefined) return false;
      // Another tenant's creative stays what it is.
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

/** Reasons of documents that could be read. */
const tellsAds: ReadonlySet<string> = new Set(['NO_ADS', 'NO_AD_SHOWN']);

const isFaults = (found: readonly (Laddered | FieldError)[]): found is FieldError[] =>
  found.some((one) => 'keyword' in one);
