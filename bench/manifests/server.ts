// SPDX-License-Identifier: Apache-2.0
// Midroll's live port in front of viewers in memory. Parameters: a BenchShape as JSON in the first argument.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlSessions } from '../../src/adapters/sql/sessions/sqlSessions.ts';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import { openSqlite } from '../../src/database.ts';
import { createStoreHealth } from '../../src/playback/viewers/storeHealth.ts';
import { createViewers } from '../../src/playback/viewers/viewers.ts';
import { millis } from '../../src/time/units.ts';
import { servePlayers } from '../servePlayers.ts';
import { benchTracking } from '../tracking/benchTracking.ts';
import { fillAudience, memoryDecider } from './audience.ts';
import { benchChannel } from './benchChannel.ts';
import { createPollClock } from './pollClock.ts';
import { type BenchShape, requestsPerPoll } from './shape.ts';

const shape = JSON.parse(process.argv[2]!) as BenchShape;
const { receiver } = shape;
const start = millis(Date.now());
const airings = Array.from({ length: shape.channels }, (_, number) => benchChannel(shape, number, start));
const sql = await openSqlite(shape.viewersPerFollower > 0 ? mkdtempSync(join(tmpdir(), 'midroll-bench-')) : ':memory:');
const sessions = sqlSessions(sql);
const health = createStoreHealth(systemTimers, () => {});
const viewers = createViewers(sessions, health, Math.max(100_000, shape.sessions));
const { bytesPerSession, heapBefore } = fillAudience(airings, viewers, shape, start);
const clock = createPollClock(start, 1000 * shape.pollSeconds, requestsPerPoll(shape));
servePlayers({
  channels: new Map(airings.map((airing) => [airing.channel.id, { channel: airing.channel, airing }])),
  ...{ viewers, sessions, bytesPerSession, heapBefore },
  decider: memoryDecider(viewers, shape),
  ...{ now: clock.now, onManifest: clock.count, isCounted: true },
  ...(receiver && { recordDelivery: benchTracking(sql, { ...shape, receiver }, clock.now) }),
});
