// SPDX-License-Identifier: Apache-2.0
// Keeps the assets of VoD sessions as long as the sessions may exist. No edition refers to them, and the imports of their URLs may
// be repeated or removed meanwhile. So the assets of all titles that were opened within VOD_SESSION_TTL are stored, and at most
// two days longer.
import type { OpenedTitle } from '../../../sessions/session.ts';
import { MAX_OVERTIME_MS } from '../../../sessions/sessionRules.ts';
import { inChunks } from '../../inChunks.ts';
import type { Sql } from '../sql.ts';
import type { SqlStatement } from '../statement.ts';

/** An asset is kept longer than necessary, so that its row is written once an hour and not by each session. */
const ROUNDED_UP_MS = 3_600_000;

export function keepAssets({ db, kind }: Sql, title: OpenedTitle): SqlStatement[] {
  const needed = title.keepUntil + MAX_OVERTIME_MS;
  return inChunks([...new Set(title.assets)]).map((keys) => {
    const due = db
      .selectFrom('assets')
      .select('key')
      .where('key', 'in', keys)
      .where((where) => where.or([where('keep_until', 'is', null), where('keep_until', '<', needed)]))
      .orderBy('key');
    // Always locked in the same order, so that two sessions with the same assets do not deadlock.
    const locked = kind === 'postgres' ? due.forUpdate() : due;
    return db
      .updateTable('assets')
      .set({ keep_until: needed + ROUNDED_UP_MS })
      .where('key', 'in', locked);
  });
}
