// SPDX-License-Identifier: Apache-2.0
// Live channels as playback sees them: each feed that is in use is an airing, whose programme is the newest one.
import { clipMakerFor, type FindMedia, type LoadMedia } from '../../ads/placement/breakClips.ts';
import { memo } from '../../cache/memo.ts';
import { DEFAULT_MAX_BREAK_DURATION, type LiveChannel } from '../../channels/channel.ts';
import { backupsFor, type LiveFeed } from '../../live/feed.ts';
import type { LiveFeedStore } from '../../live/ports.ts';
import { programmeOf, targetToOpen } from '../../live/programme/liveProgramme.ts';
import { initialState, type LiveState } from '../../live/programme/liveState.ts';
import type { SectionMedia } from '../../live/programme/section.ts';
import type { LiveRules } from '../../live/slot.ts';
import type { Session } from '../../sessions/session.ts';
import { secondsToFlicks } from '../../time/units.ts';
import { declaredRungs } from '../../timeline/ladder/ladder.ts';
import { minWindowSeconds } from '../../timeline/programme/window.ts';
import { type Airing, createPlacements, type EnabledChannel, type Placements } from '../onAir/airing.ts';
import type { LiveFeedKeeper } from './feedKeeper.ts';

type LiveChannelsDeps = {
  readonly feeds: Pick<LiveFeedStore, 'current' | 'versions'>;
  /** The feeds in this process. */
  readonly states: () => Pick<LiveFeedKeeper<LiveState, unknown>, 'use' | 'peek' | 'catchUp'>;
  readonly findMedia: FindMedia;
  /** Default: `findMedia` finds all media that exist. */
  readonly loadMedia?: LoadMedia | undefined;
};

/** Windows of sessions that are opened while a segment is late. */
const MARGIN_MS = 30_000;

type OnAirFeed = {
  readonly feed: LiveFeed;
  readonly media: SectionMedia;
  readonly placements: Placements;
  channel: LiveChannel;
};

const declaredOf = ({ ladder, rungs }: LiveFeed, { clips, slateId }: SectionMedia) => {
  const content = { cells: rungs.map((rendition) => ({ rendition })) };
  const slate = clips.slate(slateId, Math.ceil((2 * ladder.frameRate.n) / ladder.frameRate.d));
  return { ...ladder, rungs: declaredRungs(ladder, [content, slate]) };
};

export function createLiveChannels({ feeds, states, findMedia, loadMedia }: LiveChannelsDeps) {
  const onAir = new Map<string, OnAirFeed>();

  function mediaOf({ ladder, slateId }: LiveFeed): SectionMedia {
    return { ladder, slateId, clips: clipMakerFor(ladder, findMedia) };
  }

  function keep(channel: LiveChannel, feed: LiveFeed): OnAirFeed {
    const known = onAir.get(feed.life);
    if (known !== undefined) {
      known.channel = channel;
      return known;
    }
    const made: OnAirFeed = { feed, media: mediaOf(feed), channel, placements: createPlacements() };
    onAir.set(feed.life, made);
    return made;
  }

  const declared = memo((one: OnAirFeed) => declaredOf(one.feed, one.media));

  /** One airing for each state and version of the channel, so that what is memoized for its programme is shared. */
  const airings = memo((state: LiveState) =>
    memo((channel: LiveChannel): { readonly airing?: Airing } => {
      const one = onAir.get(state.feed.life);
      if (one === undefined || state.edge === undefined) return {};
      const { life, ladder, serves } = state.feed;
      const airing: Airing = {
        channel,
        life,
        ladder,
        serves,
        declared: declared(one),
        placements: one.placements,
        programme: programmeOf(state),
        signalling: undefined,
        clips: one.media.clips,
        targetToOpen: () => target(state).seconds,
        hasMedia: (id) => findMedia(id) !== undefined,
      };
      return { airing };
    }),
  );
  const target = memo((state: LiveState) => ({ seconds: targetToOpen(state) }));

  function airingOf(one: OnAirFeed | undefined): Airing | undefined {
    if (one === undefined) return undefined;
    const state = states().peek(one.feed.life);
    return state && airings(state)(one.channel).airing;
  }

  /** An HLS origin that allows both formats serves DASH unless there is a DASH origin. */
  function feedFor(all: readonly OnAirFeed[], format: Session['format']): OnAirFeed | undefined {
    return all.find(({ feed }) => feed.format === format) ?? all.find(({ feed }) => feed.serves === 'both') ?? all[0];
  }

  return {
    versions: () => feeds.versions(),
    async load(channel: LiveChannel, reason: () => string): Promise<EnabledChannel> {
      const stored = await feeds.current(channel);
      await loadMedia?.(stored.map(({ slateId }) => slateId));
      const all = stored.map((feed) => keep(channel, feed));
      const lives = new Set(stored.map(({ life }) => life));
      for (const [life, one] of onAir) {
        const isOld = one.channel.tenant === channel.tenant && one.channel.id === channel.id && !lives.has(life);
        if (isOld) onAir.delete(life);
      }
      if (all.length === 0) return { channel, reason };
      const [first] = all;
      const second = all.length > 1 ? feedFor(all, 'dash') : undefined;
      const main = second === undefined ? first : feedFor(all, 'hls');
      return {
        channel,
        reason,
        get airing() {
          return airingOf(main);
        },
        get dashAiring() {
          return airingOf(second);
        },
        live: {
          lifeFor: (format) => feedFor(all, format)?.feed.life,
          has: (life) => lives.has(life),
          media: all.map(({ feed: { serves }, media: { clips, ladder } }) => ({
            clips,
            ladder,
            serves,
            hasMedia: (id: string) => findMedia(id) !== undefined,
          })),
          isAwake: () => all.every((one) => airingOf(one) !== undefined),
          catchUp: () => states().catchUp(),
          use(life) {
            const one = onAir.get(life);
            const used = one && states().use(one.feed);
            return used instanceof Promise ? used.then(() => undefined) : undefined;
          },
        },
      };
    },
    /** The state of a feed before its first entry. */
    initial(feed: LiveFeed): LiveState {
      // The channel may have gone off air since a viewer requested it.
      const { media, channel } = onAir.get(feed.life) ?? { media: mediaOf(feed), channel: undefined };
      return initialState(feed, media, windowMillis({ feed, channel }));
    },
    rulesOf({ life }: LiveFeed): LiveRules {
      const channel = onAir.get(life)?.channel;
      return {
        fill: channel?.breakFill ?? 'slate',
        maxBreak: secondsToFlicks(channel?.maxBreakDuration ?? DEFAULT_MAX_BREAK_DURATION),
        ...(channel?.markers === 'pass' ? { markers: 'pass' } : {}),
      };
    },
    /** Milliseconds of the timeline that windows of the feed's sessions may list. */
    windowMillis({ life, ladder }: LiveFeed): number {
      return windowMillis(onAir.get(life) ?? { feed: { ladder } });
    },
    /** The URLs of the backup origins that a feed can use, in order. */
    backupsOf: ({ life, format }: LiveFeed): readonly string[] =>
      backupsFor(onAir.get(life)?.channel.backupManifestUrls ?? [], format),
    /** The SCTE-35 segmentation types that start breaks; undefined for the defaults. */
    startsOf: ({ life }: LiveFeed): readonly number[] | undefined => onAir.get(life)?.channel.segmentationTypes,
  };
}

type Windowed = { readonly feed: Pick<LiveFeed, 'ladder'>; readonly channel?: LiveChannel | undefined };

function windowMillis({ feed, channel }: Windowed): number {
  const { playlistSize = 60, timeShiftWindow = 0 } = channel ?? {};
  return 1000 * Math.max(playlistSize, timeShiftWindow, minWindowSeconds(feed.ladder)) + MARGIN_MS;
}
