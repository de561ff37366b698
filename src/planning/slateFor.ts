// SPDX-License-Identifier: Apache-2.0
// The slate of a channel: prepared, and waited for.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ConditionedMedia, CreativeLibrary, CreativeSource, CreativeState } from '../ads/creative/creative.ts';
import { slateClip } from '../ads/placement/breakClips.ts';
import type { Channel } from '../channels/channel.ts';
import type { Slate } from '../channels/schedule/planSlots.ts';
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

/**
 * The channel's slate: its own, or the built-in one if that cannot be used. Also prepares the bumpers.
 * @param onAwaited called for each of the two that is not ready
 */
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
  const fault =
    custom?.state === 'failed' ? `The slate at adSlateManifestUrl cannot be used: ${custom.reason}.` : undefined;
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
