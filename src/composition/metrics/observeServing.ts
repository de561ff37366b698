// SPDX-License-Identifier: Apache-2.0
// What a serving process has in memory, as metrics.
import type { Registry } from 'prom-client';
import { periodFormCount } from '../../dash/write/periodForm.ts';
import { keptManifestCount } from '../../http/live/vod/vodManifests.ts';
import type { WatchedLibrary } from '../../ingest/creatives/creativeLibrary.ts';
import type { Viewers } from '../../playback/viewers/viewers.ts';
import type { Presentations } from '../../playback/vod/presentations.ts';
import type { OnAirServices } from '../composeOnAir.ts';
import { observeChannels } from './channelMetrics.ts';
import { observeOrigins } from './liveMetrics.ts';
import { observeCaches, sharedSizes } from './sizeMetrics.ts';

export type ServingParts = {
  readonly onAir: Pick<OnAirServices, 'cache' | 'hasFailed' | 'live'>;
  readonly viewers: Pick<Viewers, 'counts' | 'size'>;
  readonly library: Pick<WatchedLibrary, 'size'>;
  readonly presentations: Pick<Presentations, 'size' | 'adsSize'>;
};

export function observeServing(metrics: Registry, { onAir, viewers, library, presentations }: ServingParts): void {
  const { cache, hasFailed, live } = onAir;
  observeOrigins(metrics, live.conditions);
  observeChannels(metrics, { channels: cache.all, hasFailed, viewers: viewers.counts });
  observeCaches(metrics, {
    channels: () => [...cache.all()].length,
    creatives: library.size,
    viewers: viewers.size,
    vodSessions: presentations.size,
    ...sharedSizes(cache.all),
    periodForms: periodFormCount,
    vodAds: presentations.adsSize,
    vodManifests: keptManifestCount,
  });
}
