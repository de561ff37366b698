// SPDX-License-Identifier: Apache-2.0
// Candidates for pods, whose creatives exist only as frame counts.
import type { PodCandidate } from '../../src/ads/pod/fitPod.ts';
import type { Asset } from '../../src/timeline/asset/asset.ts';

export const readyCandidate = (key: string, frames: number, more: Partial<PodCandidate> = {}): PodCandidate => ({
  id: `ad-${key}`,
  key,
  creative: { state: 'ready', media: { id: `media-${key}`, frames, rungs: [] } },
  ...more,
});

/** A candidate whose creative is used as is, and can be neither cut nor extended. */
export const usedAsIs = (key: string, frames: number): PodCandidate => ({
  ...readyCandidate(key, frames),
  creative: { state: 'ready', media: { id: `media-${key}`, frames, rungs: [], asset: {} as Asset } },
});

export const isUsedAsIs = ({ creative }: PodCandidate): boolean =>
  creative.state === 'ready' && creative.media.asset !== undefined;
