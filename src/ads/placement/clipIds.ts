// SPDX-License-Identifier: Apache-2.0
// The ids of what is placed in a break. Manifests, feeds, tracking URLs and stored records must agree on them, so they are
// assigned here and nowhere else.
import type { Decision } from './decision.ts';

/** The id of the clip at `index` of a decided break: its Period@id (ISO/IEC 23009-1 5.3.2.2) and, for an ad, its adId. */
export const clipIdOf = (breakId: string, index: number): string => `${breakId}-${index}`;

/**
 * The id of an ad of a decided break: that of its clip. The slate that a late joiner saw and the intro are clips before it.
 * @param index of the ad in its pod, from 0
 */
export const adIdOf = (breakId: string, { joined, intro }: Pick<Decision, 'joined' | 'intro'>, index: number): string =>
  clipIdOf(breakId, index + (joined > 0 ? 1 : 0) + (intro === undefined ? 0 : 1));
