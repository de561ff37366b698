// SPDX-License-Identifier: Apache-2.0
// The slate of a channel: prepared, and waited for.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ConditionedMedia, CreativeLibrary, CreativeSource, CreativeState } from '../ads/creative/creative.ts';
import { slateClip } from '../ads/placement/breakClips.ts';
import type { Channel } from '../channels/channel.ts';
import { channelKey } from '../channels/channelKey.ts';
import type { Slate } from '../channels/schedule/planSlots.ts';
import type { CreativeJobs } from '../ingest/creatives/creativeJobs.ts';
import { type Millis, millis } from '../time/units.ts';
import { MEDIA_BASE } from '../timeline/asset/segmentUrl.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import type { AwaitedSlate } from './preparation.ts';

export type OnAwaited = (slate: AwaitedSlate) => Promise<void>;

export type FoundSlate = {
  readonly slate?: Slate;
  readonly reason?: string;
  /** Set if one of the two has failed, perhaps for a moment: the channel has to be planned again. */
  readonly retryAt?: Millis;
};

/** The channel's own slate, or the built-in one. Also prepares the bumpers. @param onAwaited if one is not ready */
export async function slateFor(
  library: CreativeLibrary,
  ladder: Ladder,
  { id, tenant, adSlateManifestUrl: url, bumpers = {} }: Channel,
  onAwaited: OnAwaited,
): Promise<FoundSlate> {
  const owner = { tenant, channelId: id };
  // Do not wait for bumpers: the first break starts later.
  for (const bumper of Object.values(bumpers))
    library.prepare(bumper, { url: bumper, mimeType: '' }, ladder, owner, true);
  const prepare = async (source?: CreativeSource): Promise<CreativeState> => {
    const preparing = library.slate(ladder, source, owner);
    const isReady = await Promise.race([preparing.then(() => true), yieldToEventLoop(false)]);
    if (!isReady) await onAwaited({ ladder, ...(source ? { source } : {}) });
    return preparing;
  };
  const of = (media: ConditionedMedia): Slate => ({
    id: media.id,
    clip: (frames) => slateClip(media, ladder, { frames }, MEDIA_BASE),
  });
  const custom = url === undefined ? undefined : await prepare({ url, mimeType: '' });
  if (custom?.state === 'ready') return { slate: of(custom.media) };
  const fault = custom?.state === 'failed' ? `The channel's own slate cannot be used: ${custom.reason}.` : undefined;
  const builtIn = await prepare();
  const retryAt = earliestRetry([custom, builtIn].map(retryOf));
  const retry = retryAt === undefined ? {} : { retryAt };
  if (builtIn.state === 'ready') return { slate: of(builtIn.media), ...(fault ? { reason: fault } : {}), ...retry };
  const reason = builtIn.state === 'failed' ? builtIn.reason : 'it is being prepared';
  return { reason: `Breaks are omitted because the slate is not available: ${reason}.`, ...retry };
}

const retryOf = (state: CreativeState | undefined): Millis | undefined =>
  state === undefined || state.state === 'ready' ? undefined : (state.state === 'failed' && state.retryAt) || millis(0);

/** @returns undefined if nothing has to be tried again */
export function earliestRetry(times: readonly (Millis | undefined)[]): Millis | undefined {
  const known = times.filter((at) => at !== undefined);
  return known.length === 0 ? undefined : millis(Math.min(...known));
}

export type SlatePriorityDeps = {
  readonly jobs: Pick<CreativeJobs, 'prioritize'>;
  readonly countViewers: (tenant: string, channelIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** Waiting players retry every few seconds; this limits the writes per channel. */
const MIN_INTERVAL_MS = 5000;
/** Channels remembered; more than are requested within MIN_INTERVAL_MS. */
const MAX_CHANNELS = 10_000;

/**
 * Prepares the slates of channels first that players request or watch. A channel needs its slate to go on air, and many channels
 * may be enabled at once.
 */
export function createSlatePriority({ jobs, countViewers, now, log }: SlatePriorityDeps) {
  const prioritizedAt = new Map<string, Millis>();
  const prioritize = ({ tenant, id }: Channel): Promise<void> => jobs.prioritize({ tenant, channelId: id });
  const logFailure =
    ({ tenant, id: channelId }: Channel) =>
    (error: unknown) =>
      log('failed to prioritize the slate of a channel', { tenant, channelId, error });

  return {
    /** A player has requested a channel that is not on air yet. */
    requested(channel: Channel): void {
      const key = channelKey(channel);
      if (now() - (prioritizedAt.get(key) ?? Number.NEGATIVE_INFINITY) < MIN_INTERVAL_MS) return;
      if (prioritizedAt.size >= MAX_CHANNELS) prioritizedAt.clear();
      prioritizedAt.set(key, now());
      prioritize(channel).catch(logFailure(channel));
    },
    /** The slate of a channel has to be prepared. */
    awaited(channel: Channel): void {
      countViewers(channel.tenant, [channel.id])
        .then((counts) => ((counts.get(channel.id) ?? 0) > 0 ? prioritize(channel) : undefined))
        .catch(logFailure(channel));
    },
  };
}
