// SPDX-License-Identifier: Apache-2.0
// The tables, the same in SQLite and PostgreSQL. Documents are JSON text, because JSON columns reject lone surrogates and zero
// bytes, which must be read back as written (law 8).
import type { ChannelTables } from './schema/channelTables.ts';
import type { CreativeTables } from './schema/creativeTables.ts';
import type { LiveTables } from './schema/liveTables.ts';
import type { ScheduleTables } from './schema/scheduleTables.ts';
import type { SessionTables } from './schema/sessionTables.ts';
import type { TrackingTables } from './schema/trackingTables.ts';

/**
 * Each feature of the platform adds the rows of its own tables (src/platform/<feature>/store). An interface, because others can
 * add to it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by the features
export interface PlatformTables {}

export type Database = ChannelTables &
  CreativeTables &
  LiveTables &
  PlatformTables &
  ScheduleTables &
  SessionTables &
  TrackingTables & {
    /** Facts about the database itself. */
    facts: { name: string; value: string };
  };
