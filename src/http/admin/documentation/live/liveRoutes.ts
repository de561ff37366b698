// SPDX-License-Identifier: Apache-2.0
// The documentation of every operation of the live port. The type requires an entry for each operation that
// live/liveOperation.ts can return; the test compares the paths.
import type { LiveOperation } from '../../../live/liveOperation.ts';
import { adVastRoutes, confirmationsRoute, trackingRoutes, vastRoutes } from './feedRoutes.ts';
import type { LiveRoute } from './liveRoute.ts';
import { adSegmentRoutes, healthRoute, readyRoute, segmentRoute, timeRoute } from './mediaRoutes.ts';
import { feedRoute, mediaRoute, mpdPatchRoute, mpdRoute, multivariantRoute, viewRoutes } from './playbackRoutes.ts';

export const routesOf: Readonly<Record<LiveOperation, readonly LiveRoute[]>> = {
  view: viewRoutes,
  multivariant: [multivariantRoute],
  media: [mediaRoute],
  mpd: [mpdRoute],
  mpdPatch: [mpdPatchRoute],
  feed: [feedRoute],
  tracking: trackingRoutes,
  confirmations: [confirmationsRoute],
  vast: vastRoutes,
  adVast: adVastRoutes,
  adSegment: adSegmentRoutes,
  segment: [segmentRoute],
  time: [timeRoute],
  health: [healthRoute],
  ready: [readyRoute],
};

export const liveRoutes: readonly LiveRoute[] = Object.values(routesOf).flat();
