// SPDX-License-Identifier: Apache-2.0
// Composes the history of sessions: what session stores set aside is stored, searched, and deleted when it is old.

import { pack, unpack } from '../../adapters/packJson.ts';
import type { Services } from '../../composition/openServices.ts';
import type { SessionStores } from '../../composition/openSessionStores.ts';
import type { Part } from '../../composition/part.ts';
import type { Config } from '../../config.ts';
import { type KeptRecord, type PastTraces, recordOf, tracedOf } from '../../playback/view/trace.ts';
import { millis } from '../../time/units.ts';
import type { DeliveryStore } from '../../tracking/deliveries/ports.ts';
import type { PastBreaks } from '../tries/rules/storedBreak.ts';
import { searchRoute } from './routes/searchRoute.ts';
import { createArchive } from './rules/archive.ts';
import { searchSessions } from './rules/searchSessions.ts';
import { sqlHistory } from './store/sqlHistory.ts';

export type History = {
  readonly traces: PastTraces;
  readonly breaks: PastBreaks;
  readonly part: Part;
};

type HistoryServices = Pick<Services, 'sql' | 'channels' | 'now'> & {
  readonly config: Pick<Config, 'TRACE_RETENTION' | 'TRACE_MAX_MB'>;
};

const ARCHIVE_INTERVAL_MS = 2000;
const PRUNE_INTERVAL_MS = 15_000;
const DAY_MS = 24 * 3_600_000;
const MEGABYTE = 1024 * 1024;

export function composeHistory(
  { sql, channels, config, now }: HistoryServices,
  { aside, living, confirmations }: Pick<SessionStores, 'aside' | 'living' | 'confirmations'>,
  deliveries: Pick<DeliveryStore, 'ofSession'>,
): History {
  const history = sqlHistory(sql);
  const keepsTraces = config.TRACE_RETENTION > 0;
  const archive = createArchive({ aside, history, deliveries, confirmations, compress: pack, keepsTraces });
  const prune = async () => {
    const before = keepsTraces ? now() - config.TRACE_RETENTION * DAY_MS : Number.MAX_SAFE_INTEGER;
    await history.prune(millis(before), config.TRACE_MAX_MB * MEGABYTE);
  };
  return {
    traces: {
      find: history.find,
      breaks: async (sessionId, most) =>
        Promise.all(
          (await history.breaks(sessionId, most)).map(async (body) => tracedOf(await unpack<KeptRecord>(body))),
        ),
    },
    breaks: {
      find: history.find,
      async findBreak(sessionId, breakId) {
        const body = await history.findBreak(sessionId, breakId);
        return body && recordOf(await unpack<KeptRecord>(body));
      },
    },
    part: {
      routes: [searchRoute((search) => searchSessions({ living, history }, search), channels)],
      tasks: [
        { name: 'storing ended sessions', everyMs: ARCHIVE_INTERVAL_MS, run: archive },
        { name: 'deleting old sessions', everyMs: PRUNE_INTERVAL_MS, run: prune },
      ],
    },
  };
}
