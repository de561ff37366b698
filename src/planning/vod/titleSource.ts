// SPDX-License-Identifier: Apache-2.0
// Prepares titles: imports their assets, each once, and keeps recently used titles in memory. The progress of each title that
// players name is shared by all processes, so that operators see it.
import { LRUCache } from 'lru-cache';
import { weakValueCache } from '../../cache/weakValueCache.ts';
import type { Channel } from '../../channels/channel.ts';
import { type ChannelRef, channelKey } from '../../channels/channelKey.ts';
import { type ContentItem, fillPlaceholders, playlistTitle } from '../../channels/playlist.ts';
import type { AssetStore, PlaylistStore } from '../../channels/ports.ts';
import { isHttpUrl } from '../../channels/urlFaults.ts';
import { type Clock, within } from '../../time/clock.ts';
import { audioFault } from '../../timeline/asset/mpegAudio.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { choosePlan } from '../../vod/choosePlan.ts';
import { isAllowedHost } from '../../vod/isAllowedHost.ts';
import type { PreparedTitle, RequestedContents, TitleSource } from '../../vod/ports.ts';
import { type KeyedAsset, makeTitle, type Title } from '../../vod/title.ts';
import type { Imported, KnownAssets } from '../ports.ts';
import { forEachUrl } from '../readySchedule.ts';
import type { TitleProgress } from './titleProgress.ts';

/** The contents of a channel without playlist: one placeholder. */
const LIBRARY: readonly ContentItem[] = [{ sourceType: 'placeholder' }];

const shown = (text: string): string => JSON.stringify(text.slice(0, 100));

/** @returns why the URL cannot fill placeholders; continues the name of the parameter */
function contentFault(url: string, hosts: readonly string[]): string | undefined {
  if (!isHttpUrl(url)) return `must be an http or https URL; got ${shown(url)}`;
  if (isAllowedHost(url, hosts)) return undefined;
  return `must be on a host that the channel's contentHosts contain; got ${shown(new URL(url).host)}`;
}

/** The items of the channel's playlist, or one placeholder if it has none. */
export async function channelContents(
  channel: Channel,
  playlists: Pick<PlaylistStore, 'find'>,
): Promise<RequestedContents> {
  const { playlistId, tenant } = channel;
  if (playlistId === undefined) return { state: 'found', contents: LIBRARY };
  const unavailable = (reason: string) => ({ state: 'unavailable', reason }) as const;
  const playlist = await playlists.find(tenant, playlistId);
  if (playlist === undefined) return unavailable(`Playlist ${playlistId} does not exist.`);
  if (playlist.type === 'vod2live')
    return unavailable(`Playlist ${playlistTitle(playlist)} is of type vod2live; a VoD channel needs type vod.`);
  if (playlist.status !== 'enabled') return unavailable(`Playlist ${playlistTitle(playlist)} is disabled.`);
  const { contents = [] } = playlist;
  if (contents.length === 0) return unavailable(`Playlist ${playlistTitle(playlist)} is empty.`);
  return { state: 'found', contents };
}

export const hasPlaceholder = (contents: readonly ContentItem[]): boolean =>
  contents.some(({ sourceType }) => sourceType === 'placeholder');

function fillRequested(
  contents: readonly ContentItem[],
  content: string | undefined,
  hosts: readonly string[],
): RequestedContents {
  const isNeeded = hasPlaceholder(contents);
  if (content === undefined && !isNeeded) return { state: 'found', contents };
  const fault =
    content === undefined
      ? 'is required, because the playlist of this channel has a placeholder; set it to the URL of an HLS or DASH manifest'
      : isNeeded
        ? contentFault(content, hosts)
        : 'is not allowed, because the playlist of this channel has no placeholder';
  if (fault !== undefined) return { state: 'invalid', message: fault };
  return { state: 'found', contents: content === undefined ? contents : fillPlaceholders(contents, content) };
}

type TitleSourceDeps = Clock & {
  readonly assets: KnownAssets;
  readonly store: Pick<AssetStore, 'find'>;
  readonly playlists: Pick<PlaylistStore, 'find'>;
  readonly progress: TitleProgress;
};

const PARALLEL_IMPORTS = 8;
/** A title refers to its assets, of up to a megabyte each. */
const MAX_TITLES = 200;
const MAX_CHANNELS = 1000;
const MAX_LADDERS = 5;
/** A stored import older than this is repeated while the title plays from it. */
const REFRESH_AFTER_MS = 24 * 3_600_000;
const REFRESH_CHECK_MS = 3_600_000;
const MAX_REFRESHED = 10_000;

type FoundItem = { readonly item: ContentItem; readonly found: Imported };
type PlayableItem = { readonly item: ContentItem; readonly keyed: KeyedAsset };

const playable = ({ item, found }: FoundItem): PlayableItem[] =>
  found.ok && audioFault(found.asset) === undefined ? [{ item, keyed: { key: found.key, asset: found.asset } }] : [];

/** The title of the items that fit the ladder of the first. Others are left out, as on linear channels. */
export function titleOf(
  items: readonly FoundItem[],
  make: (assets: readonly [KeyedAsset, ...KeyedAsset[]]) => ReturnType<typeof makeTitle>,
): { readonly title: Title; readonly contents: readonly ContentItem[] } | undefined {
  let left = items.flatMap(playable);
  for (;;) {
    const [first, ...others] = left.map(({ keyed }) => keyed);
    if (first === undefined) return undefined;
    const made = make([first, ...others]);
    if (!('misfits' in made)) return { title: made, contents: left.map(({ item }) => item) };
    const misfits = new Set(made.misfits.map(({ index }) => index));
    left = left.filter((_, index) => !misfits.has(index));
  }
}

export function createTitleSource({ assets, store, playlists, progress, now, timers }: TitleSourceDeps): TitleSource {
  const titles = new LRUCache<string, Title>({ max: MAX_TITLES });
  const ladders = new LRUCache<string, readonly Ladder[]>({ max: MAX_CHANNELS });

  const inUse = weakValueCache<string, ReturnType<typeof makeTitle>>();
  const ladderInUse = weakValueCache<string, Ladder>();

  /** Titles with equal ladders share one, with the clips of ads that are made for it. */
  function withSharedLadder(made: ReturnType<typeof makeTitle>): ReturnType<typeof makeTitle> {
    if ('misfits' in made) return made;
    return { ...made, ladder: ladderInUse(JSON.stringify(made.ladder), () => made.ladder) };
  }

  /** Sessions of the same assets share a title. */
  function shared(keyed: readonly [KeyedAsset, ...KeyedAsset[]]): ReturnType<typeof makeTitle> {
    const id = keyed.map(({ key }) => key).join(' ');
    const title = inUse(id, () => withSharedLadder(makeTitle(keyed)));
    if (!('misfits' in title)) titles.set(id, title);
    return title;
  }

  const refreshed = new LRUCache<string, true>({ max: MAX_REFRESHED, ttl: REFRESH_CHECK_MS });

  function remember(channel: ChannelRef, { ladder }: Title): void {
    const key = channelKey(channel);
    const others = (ladders.get(key) ?? []).filter((one) => one !== ladder);
    ladders.set(key, [ladder, ...others].slice(0, MAX_LADDERS));
  }

  /** The stored import, or a new one. @returns undefined if too many imports are waiting */
  async function importOf(channel: ChannelRef, url: string): Promise<Imported | undefined> {
    return (await assets.known(url, 0)) ?? progress.follow(channel, url, () => assets.find(url, 0));
  }

  /** Repeats an old import in the background, for later sessions. If that fails, they play the old one. */
  async function refresh(channel: ChannelRef, url: string): Promise<void> {
    if (refreshed.get(url) !== undefined) return;
    refreshed.set(url, true);
    if ((await assets.known(url, now() - REFRESH_AFTER_MS)) === undefined)
      await progress.follow(channel, url, () => assets.refresh(url));
  }

  async function importAll(channel: ChannelRef, contents: readonly ContentItem[]): Promise<FoundItem[] | undefined> {
    const found = new Map<string, Imported>();
    await forEachUrl(contents, PARALLEL_IMPORTS, async (url) => {
      const imported = await importOf(channel, url);
      if (imported === undefined) return;
      found.set(url, imported);
      if (imported.ok) refresh(channel, url).catch(() => undefined);
    });
    const items = contents.flatMap((item) => (item.url === undefined ? [] : [{ item, found: found.get(item.url) }]));
    return items.every((one): one is FoundItem => one.found !== undefined) ? items : undefined;
  }

  return {
    async contentsOf(channel, content) {
      const found = await channelContents(channel, playlists);
      return found.state === 'found' ? fillRequested(found.contents, content, channel.contentHosts ?? []) : found;
    },
    async prepare(channel, contents, budgetMs): Promise<PreparedTitle> {
      const importing = importAll(channel, contents);
      importing.catch(() => undefined);
      const items = await within(timers, budgetMs, importing);
      if (items === undefined) return { state: 'importing' };
      const made = titleOf(items, shared);
      if (made === undefined)
        return { state: 'failed', reason: "The content cannot be played. The channel's status says why." };
      remember(channel, made.title);
      const { breakSource = 'auto', breakDuration } = channel;
      const { title, contents: shown } = made;
      return { state: 'ready', title, contents: shown, plan: choosePlan(title, shown, breakSource, breakDuration) };
    },
    async find(assetKeys) {
      const known = titles.get(assetKeys.join(' '));
      if (known !== undefined) return known;
      const keyed: KeyedAsset[] = [];
      for (const key of assetKeys) {
        const asset = await store.find(key);
        if (asset === undefined) return undefined;
        keyed.push({ key, asset });
      }
      const [first, ...others] = keyed;
      const made = first && shared([first, ...others]);
      return made === undefined || 'misfits' in made ? undefined : made;
    },
    remember,
    laddersOf: (channel) => ladders.get(channelKey(channel)) ?? [],
  };
}
