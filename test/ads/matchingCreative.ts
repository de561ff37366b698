// SPDX-License-Identifier: Apache-2.0
// A creative at a host of its own that matches the ladder of a channel, so that it is used as is.
import { creativeAsset } from '../../src/ads/creative/conditionedAsset.ts';
import { importAsset } from '../../src/ingest/import/importAsset.ts';
import { ladderOf } from '../../src/timeline/ladder/ladderOf.ts';
import type { Stage } from '../live/stage.ts';
import { openConditioning, testSource } from '../media/conditioning.ts';
import { type CreativeHost, publishCreative, startCreativeHost } from '../servers/creativeHost.ts';

/**
 * @param content URL of the channel's content
 * @returns the host of the creative, whose path is `/spot/master.m3u8`; it is closed with the stage
 */
export async function hostMatchingCreative(stage: Stage, content: string, seconds: number): Promise<CreativeHost> {
  const conditioning = await openConditioning();
  const host = await startCreativeHost();
  stage.onClose(() => conditioning.close());
  stage.onClose(async () => host.close());
  const imported = await importAsset(content, conditioning.origin);
  if (!imported.ok) throw new Error(imported.reason);
  const ladder = ladderOf([imported.asset]);
  await conditioning.make('spot.mp4', ...testSource(seconds));
  const made = await conditioning.condition('spot.mp4', ladder);
  if (made.state !== 'ready') throw new Error(JSON.stringify(made));
  await publishCreative(host, 'spot', conditioning, creativeAsset(made.media, ladder, made.media.frames, ''));
  return host;
}
