// SPDX-License-Identifier: Apache-2.0
// Planners with the stores of a database.
import { expect } from 'vitest';
import { sqlAirings } from '../src/adapters/sql/channels/sqlAirings.ts';
import { sqlBreakOrders } from '../src/adapters/sql/channels/sqlBreakOrders.ts';
import { sqlChannelStatuses } from '../src/adapters/sql/channels/sqlChannelStatuses.ts';
import { sqlChannels } from '../src/adapters/sql/channels/sqlChannels.ts';
import { sqlPlaylists } from '../src/adapters/sql/channels/sqlPlaylists.ts';
import { sqlSchedules } from '../src/adapters/sql/channels/sqlSchedules.ts';
import { sqlLiveFeeds } from '../src/adapters/sql/live/sqlLiveFeeds.ts';
import type { Sql } from '../src/adapters/sql/sql.ts';
import type { CreativeLibrary } from '../src/ads/creative/creative.ts';
import type { Channel } from '../src/channels/channel.ts';
import { createPlanner, type Planner, type PlannerDeps } from '../src/planning/planner.ts';
import { createStatusBoard } from '../src/planning/statusBoard.ts';
import type { Millis } from '../src/time/units.ts';

export const GRACE = 600_000;

/** A library that makes slate; everything else is being prepared. */
export const libraryOf = (slate: CreativeLibrary['slate'], more: Partial<CreativeLibrary> = {}): CreativeLibrary => ({
  prepare: () => ({ state: 'preparing' }),
  settled: async () => ({ state: 'preparing' }),
  slateQueue: () => undefined,
  slate,
  ...more,
});

export const boardOf = (sql: Sql, now: () => Millis) =>
  createStatusBoard({ store: sqlChannelStatuses(sql), now, log: expect.unreachable });

/** By default, nothing is imported or analysed, and there are no blackouts. */
export const plannerOf = (sql: Sql, given: Pick<PlannerDeps, 'library' | 'now'> & Partial<PlannerDeps>): Planner =>
  createPlanner({
    channels: sqlChannels(sql),
    playlists: sqlPlaylists(sql),
    schedules: sqlSchedules(sql),
    airings: sqlAirings(sql),
    feeds: sqlLiveFeeds(sql),
    orders: sqlBreakOrders(sql),
    board: boardOf(sql, given.now),
    blackoutMedia: { of: () => undefined, stateOf: () => undefined },
    analyse: expect.unreachable,
    findOrigin: async () => expect.unreachable(),
    assets: { find: expect.unreachable },
    onAir: async () => undefined,
    recordAsRun: async () => true,
    grace: GRACE,
    log: (message, facts) => expect.unreachable(`${message} ${facts.error}`),
    ...given,
  });

export const written = { createdBy: 'ann@example.com', createdAt: '2026-03-01T00:00:00.000Z' };

/** A channel `one` that plays the playlist `main`. */
export const linearChannel = (tenant: string): Channel => ({
  ...{ id: 'one', tenant, type: 'vod2live', state: 'enabled', apiKey: tenant, playlistId: 'main' },
  ...{ playlistSize: 60, timeShiftWindow: 0, tracking: 'server', ...written },
});
