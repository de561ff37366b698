// SPDX-License-Identifier: Apache-2.0
// Composes deleted records, which can be restored for a day.

import type { Services } from '../../composition/openServices.ts';
import type { Part } from '../../composition/part.ts';
import type { OnAir } from '../../http/admin/routes/ports.ts';
import type { DiscardRecord } from '../../http/admin/routes/record.ts';
import { deletedRoutes, discardRecord } from './routes/deletedRoutes.ts';
import { sqlDeletedRecords } from './store/sqlDeletedRecords.ts';

const PURGE_INTERVAL_MS = 600_000;

type Deleted = {
  readonly discard: DiscardRecord;
  /** @param onAir plans channels that are restored */
  part(onAir: Pick<OnAir, 'onChannelChanged' | 'onPlaylistChanged'>): Part;
};

export function composeDeleted({ sql, now, log }: Services): Deleted {
  const deleted = sqlDeletedRecords(sql);
  return {
    discard: discardRecord(deleted, now),
    part: (onAir) => ({
      routes: deletedRoutes({ deleted, onAir, now, log }),
      tasks: [{ name: 'removing deleted records', everyMs: PURGE_INTERVAL_MS, run: () => deleted.purge(now()) }],
    }),
  };
}
