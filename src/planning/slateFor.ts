// SPDX-License-Identifier: Apache-2.0
// The slate of a channel: prepared, and waited for.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ConditionedMedia, CreativeLibrary, CreativeSource, CreativeState } from '../ads/creative/creative.ts';
import { slateClip } from '../ads/placement/breakClips.ts';
import type { Channel } from '../channels/channel.ts';
import type { Slate } from '../channels/schedule/planSlots.ts';
import { MEDIA_BASE } from '../timeline/asset/mediaBase.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import type { AwaitedSlate } from './preparation.ts';

export type OnAwaited = (slate: AwaitedSlate) => Promise<void>;

/**
 * The channel's slate: its own, or the built-in one if that cannot be used. Also prepares the bumpers.
 * @param onAwaited called for each of the two that is not ready
 */
export async function slateFor(
  library: CreativeLibrary,
  ladder: Ladder,
  { id, tenant, adSlateManifestUrl: url, bumpers = {} }: Channel,
  onAwaited: OnAwaited,
): Promise<{ slate?: Slate; reason?: string }> {
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
    clip: (frames) => slateClip(media, ladder, frames, frames, MEDIA_BASE),
  });
  const custom = url === undefined ? undefined : await prepare({ url, mimeType: '' });
  if (custom?.state === 'ready') return { slate: of(custom.media) };
  const fault =
    custom?.state === 'failed' ? `The slate at adSlateManifestUrl cannot be used: ${custom.reason}.` : undefined;
  const builtIn = await prepare();
  if (builtIn.state === 'ready') return { slate: of(builtIn.media), ...(fault ? { reason: fault } : {}) };
  const reason = builtIn.state === 'failed' ? builtIn.reason : 'it is being prepared';
  return { reason: `Breaks are omitted because the slate is not available: ${reason}.` };
}
