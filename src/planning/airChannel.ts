// SPDX-License-Identifier: Apache-2.0
// Puts a channel's schedule on air: starts a life, or appends an edition to the current one if the schedule has changed.
import { randomUUID } from 'node:crypto';
import type { CreativeLibrary } from '../ads/creative/creative.ts';
import { MissingMedia } from '../ads/placement/breakClips.ts';
import type { Channel } from '../channels/channel.ts';
import type { ChannelRef } from '../channels/channelKey.ts';
import type { Playlist } from '../channels/playlist.ts';
import type { FindAdSources } from '../channels/ports.ts';
import { type AiringRecord, type EditionRecord, slotRecord } from '../channels/schedule/airing.ts';
import type { SlotPlan } from '../channels/schedule/edition.ts';
import { leaveLineup } from '../channels/schedule/leaveLineup.ts';
import { firstEditions, firstStart, playlistSchedule, type Schedule } from '../channels/schedule/nextEditions.ts';
import type { Slate } from '../channels/schedule/planSlots.ts';
import type { AiringStore } from '../channels/schedule/ports.ts';
import { defined, withoutUndefined } from '../invariant.ts';
import { flicks, type Millis, millis } from '../time/units.ts';
import type { Asset } from '../timeline/asset/asset.ts';
import { framesPerSecond } from '../timeline/asset/frameGrid.ts';
import { audioFault } from '../timeline/asset/mpegAudio.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import { ladderOf } from '../timeline/ladder/ladderOf.ts';
import { minWindowSeconds } from '../timeline/programme/window.ts';
import { appendEditions, type Change, type InsertDeps, type OnAir } from './insertBreaks.ts';
import type { AwaitedSlate } from './preparation.ts';
import { prepareHouse } from './prepareHouse.ts';
import { type FoundItem, readySchedule } from './readySchedule.ts';
import { type FoundSlate, type OnAwaited, slateFor } from './slateFor.ts';
import type { ItemStatus } from './status.ts';

export type AirDeps = InsertDeps & {
  readonly airings: AiringStore;
  readonly library: CreativeLibrary;
  readonly findAdSources?: FindAdSources;
  /** Loads the current life. */
  readonly onAir: (channel: ChannelRef) => Promise<OnAir | undefined>;
  /** Called if a slate is not ready and has to be prepared, with the statuses of the items so far. */
  readonly onSlateAwaited: (slate: AwaitedSlate, statuses: readonly ItemStatus[]) => void;
  /** How long the life of a disabled channel continues, in milliseconds. */
  readonly grace: number;
};

type Aired = {
  readonly isPlaying: boolean;
  readonly reasons: readonly string[];
  readonly statuses: readonly ItemStatus[];
  /** When another attempt to make the slate may succeed. */
  readonly retryAt?: Millis;
};

const PLAIN_SLATE_SECONDS = 60;

export const plainSlate = (slate: Slate, ladder: Ladder): SlotPlan => {
  const frames = PLAIN_SLATE_SECONDS * framesPerSecond(ladder.frameRate);
  return { clip: slate.clip(frames), item: -1, at: flicks(0), slate: { frames, slateId: slate.id } };
};

const isPlayed = ({ slots }: EditionRecord): boolean => slots.some(({ kind }) => kind === 'content');

/** What a channel plays, as far as it is known before its slate is. */
export type AirContent = {
  /** The imported assets, in order: they decide the ladder of a new life. */
  readonly found: readonly { readonly asset: Asset; readonly key: string }[];
  /** The items, when they are fitted to a ladder. */
  readonly statuses: (ladder: Ladder) => Promise<readonly ItemStatus[]>;
  readonly compose: (ladder: Ladder, slate: Slate | undefined) => Promise<ComposedContent>;
  /** One of the first cycles starts exactly then. */
  readonly anchor?: Millis;
};

export type ComposedContent = {
  readonly statuses: readonly ItemStatus[];
  /** Whether it is more than slate. */
  readonly isPlaying: boolean;
  /** Absent as long as there is nothing to show. */
  readonly schedule?: Schedule;
  /** Where a lineup on air has to be left for it; by default at the next border, if it differs from what is on air. */
  readonly leave?: Change['leave'];
};

/** The current life, unless its ladder was chosen while there was nothing to play and no item fits it: then a new life starts. */
async function lifeToContinue(onAir: OnAir | undefined, { found, statuses }: AirContent): Promise<OnAir | undefined> {
  if (onAir === undefined || onAir.records.some(isPlayed)) return onAir;
  const fitted = await statuses(onAir.airing.ladder);
  const fitsNone = fitted.length > 0 && !fitted.some(({ state }) => state === 'ready');
  return fitsNone && found.length > 0 ? undefined : onAir;
}

/**
 * The life on air. If the slate of its editions is lost, it is made again. Equal media have equal ids, so the life usually
 * continues then; if not, a new life replaces it, but not as long as no slate can be made.
 * @returns `stored`: the life in the store; `usable`: undefined if its editions cannot be compiled; `missing`: why there is no slate
 */
async function loadLife(deps: AirDeps, channel: Channel, awaited: (ladder: Ladder) => OnAwaited) {
  const load = async () => {
    const usable = await deps.onAir(channel);
    return usable && { stored: usable.airing.life, usable };
  };
  const ifLost = (error: unknown) => {
    if (!(error instanceof MissingMedia)) throw error;
    return 'lost' as const;
  };
  const loaded = await load().catch(ifLost);
  if (loaded !== 'lost') return loaded;
  const current = await deps.airings.current(channel);
  if (current === undefined) return undefined;
  const { ladder, life: stored } = current.airing;
  const made = await slateFor(deps.library, ladder, channel, awaited(ladder));
  if (made.slate === undefined) return { stored, usable: undefined, missing: { ...made, ladder } };
  const again = await load().catch(ifLost);
  return again === 'lost' ? { stored, usable: undefined } : again;
}

/** Cue points are reported once a slate for their breaks is ready. */
const withoutCuePoints = ({ cuePoints: _, ...status }: ItemStatus): ItemStatus => status;

export async function airChannel(deps: AirDeps, channel: Channel, content: AirContent): Promise<Aired> {
  const { found, statuses: fitted } = content;
  const awaited = (ladder: Ladder) => async (slate: AwaitedSlate) =>
    deps.onSlateAwaited(slate, (await fitted(ladder)).map(withoutCuePoints));
  const onAir = await loadLife(deps, channel, awaited);
  if (onAir !== undefined && 'missing' in onAir) {
    return { isPlaying: false, statuses: await fitted(onAir.missing.ladder), ...failureOf(onAir.missing) };
  }
  const life = await lifeToContinue(onAir?.usable, content);
  const [firstAsset, ...others] = found.map(({ asset }) => asset).filter((asset) => audioFault(asset) === undefined);
  const ladder = life?.airing.ladder ?? (firstAsset ? ladderOf([firstAsset, ...others]) : defaultLadder);
  const made = await slateFor(deps.library, ladder, channel, awaited(ladder));
  await prepareHouse(deps, channel, ladder);
  const { slate } = made;
  const { schedule, statuses, isPlaying, leave } = await content.compose(ladder, slate);
  if (schedule === undefined) return { isPlaying: life !== undefined, statuses, ...failureOf(made) };
  const now = deps.now();
  if (life === undefined && onAir !== undefined) await deps.recordAsRun(channel, now);
  const isStored =
    life === undefined
      ? await deps.airings.begin(...firstLife(now, channel, content.anchor, ladder, schedule), onAir?.stored)
      : (await appendEditions(deps, channel, life, slate, { schedule, leave: leave ?? isChanged(life, schedule) }))
          .outcome !== 'taken';
  // Another process stored an edition first: start from that one.
  if (!isStored) return airChannel(deps, channel, content);
  return { isPlaying, statuses, ...failureOf(made) };
}

/** A playlist in a loop; slate if it is disabled, or has nothing to play. */
export function playlistContent(
  { grace }: Pick<AirDeps, 'grace'>,
  { breakDuration }: Channel,
  playlist: Playlist | undefined,
  items: readonly FoundItem[],
): AirContent {
  const found = items.flatMap((item) => (item.found.ok ? [item.found] : []));
  const keyOf = keysOf(found);
  const startDate = playlist?.startDate;
  return {
    found,
    statuses: async (ladder) => (await readySchedule(items, ladder, undefined, { grace })).statuses,
    async compose(ladder, slate) {
      const { plans, statuses } = await readySchedule(items, ladder, slate, { grace, breakDuration });
      const isPlaying = playlist?.status === 'enabled' && plans.length > 0;
      const shown = isPlaying ? plans : slate ? [plainSlate(slate, ladder)] : [];
      if (shown.length === 0) return { statuses, isPlaying };
      const urls = items.map(({ item }) => item.url ?? null);
      const record = (plan: SlotPlan) => slotRecord(plan, keyOf);
      return { statuses, isPlaying, schedule: playlistSchedule({ plans: shown, items: urls, record }) };
    },
    ...(startDate === undefined ? {} : { anchor: millis(Date.parse(startDate)) }),
  };
}

export function keysOf(found: AirContent['found']): (asset: Asset) => string {
  const keys = new Map(found.map(({ asset, key }) => [asset, key]));
  return (asset) => defined(keys.get(asset), 'an asset that is planned was imported');
}

const failureOf = ({ reason, retryAt }: FoundSlate): Pick<Aired, 'reasons' | 'retryAt'> => ({
  reasons: reason === undefined ? [] : [reason],
  ...withoutUndefined({ retryAt }),
});

function firstLife(
  now: Millis,
  channel: Channel,
  anchor: Millis | undefined,
  ladder: Ladder,
  schedule: Schedule,
): [AiringRecord, EditionRecord[]] {
  const depth = Math.max(channel.playlistSize, minWindowSeconds(ladder)) * 1000;
  const startedAt = firstStart(schedule.plans, now, depth, anchor);
  const { id: channelId, tenant } = channel;
  const airing: AiringRecord = { channelId, life: randomUUID(), tenant, startedAt, beganAt: now, ladder };
  return [airing, firstEditions(airing, schedule)];
}

/** Leaves the lineup at its next border if the list differs from the one that is on air. */
function isChanged({ records }: OnAir, schedule: Schedule): NonNullable<Change['leave']> {
  const isSame = JSON.stringify(schedule.plans.map(schedule.record)) === JSON.stringify(records.at(-1)?.slots);
  return (lineup, earliest) => (isSame ? undefined : leaveLineup(lineup, earliest));
}

/** The ladder of a channel that shows slate because it has nothing to play yet. */
export const defaultLadder: Ladder = {
  container: 'fmp4',
  layout: 'separate',
  frameRate: { n: 25, d: 1 },
  rungs: [
    {
      id: 'v0',
      kind: 'video',
      codecs: 'avc1.64001f',
      bandwidth: 1.6e6,
      averageBandwidth: 1.4e6,
      width: 1280,
      height: 720,
    },
    { id: 'v1', kind: 'video', codecs: 'avc1.64001e', bandwidth: 8e5, averageBandwidth: 7e5, width: 640, height: 360 },
    {
      id: 'a0',
      kind: 'audio',
      codecs: 'mp4a.40.2',
      bandwidth: 1.3e5,
      averageBandwidth: 1.28e5,
      sampleRate: 48_000,
      channels: 2,
      language: 'und',
    },
  ],
  targetDuration: 6,
};
