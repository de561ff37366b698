// SPDX-License-Identifier: Apache-2.0
import { type Millis, millis } from '../time/units.ts';
import type { SessionStore } from './ports.ts';

/** A session counts as a viewer for this long after its last request, which nodes store every 15 s. */
const VIEWER_TIMEOUT_MS = 60_000;

/** @returns the viewers of channels by channel id, at all nodes; channels without viewers may be absent */
export type CountViewers = (tenant: string, channelIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

export const viewerCounter =
  (sessions: Pick<SessionStore, 'watching'>, now: () => Millis): CountViewers =>
  (tenant, channelIds) =>
    sessions.watching(tenant, channelIds, millis(now() - VIEWER_TIMEOUT_MS));
