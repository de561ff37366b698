// SPDX-License-Identifier: Apache-2.0

import { expect, onTestFinished, test } from 'vitest';
import { sessionOf } from '../../../test/laws/syntheticChannel.ts';
import { decisionOf } from '../../../test/stores/records.ts';
import { emptyBreak } from '../../../test/vast/richAd.ts';
import { sqlFrozen } from '../../adapters/sql/sessions/sqlFrozen.ts';
import { sqlSessions } from '../../adapters/sql/sessions/sqlSessions.ts';
import { openSqlite } from '../../database.ts';
import type { SessionState } from '../../sessions/ports.ts';
import { flicks, millis } from '../../time/units.ts';
import type { Frozen } from '../../vod/layOut.ts';
import { frozenWithMedia, sessionsWithMedia } from './sessionsWithMedia.ts';

const odometer = { segments: [0], discontinuities: 0 };
const ad = (breakId: string, mediaId: string) => ({ adId: `${breakId}-0`, mediaId, frames: 250 });
const decidedOf = (breakId: string, mediaId: string) => decisionOf(breakId, 100, [ad(breakId, mediaId)]);
const recordOf = (id: string) => emptyBreak(id, '');
const frozenOf = (mediaId: string): Frozen => ({
  breaks: [{ id: '0-1', at: flicks(0), ads: [ad('0-1', mediaId)] }],
});

/** A node that knows the media `own`, and cannot read those of other nodes. */
async function openNode() {
  const sql = await openSqlite(':memory:');
  onTestFinished(() => sql.close());
  const store = sqlSessions(sql);
  const load = async (mediaIds: readonly string[]) => mediaIds.every((id) => id === 'own');
  const session = sessionOf(1);
  await store.create(session, odometer);
  const state: SessionState = { session, decisions: [], odometer, foldedBefore: millis(0) };
  return { store, state, sessions: sessionsWithMedia(store, load), frozen: frozenWithMedia(sqlFrozen(sql), load) };
}

test('the first decision of a break is returned as such, also while media of other nodes cannot be read', async () => {
  const { sessions, store, state } = await openNode();
  const old = (await store.decide(state, decidedOf('1-0', 'own'), recordOf('1-0'), millis(0)))!.state;
  // Another node folds, so that the stored state is read.
  await store.decide(old, { ...decidedOf('1-2', 'other'), startsAt: 200 }, recordOf('1-2'), millis(150));
  const decided = await sessions.decide(
    old,
    { ...decidedOf('1-3', 'own'), startsAt: 300 },
    recordOf('1-3'),
    millis(150),
  );
  expect(decided?.isFirst).toBe(true);
  expect(decided?.state.decisions.map(({ breakId }) => breakId)).toEqual(['1-0', '1-3']);
});

test('a decision of another node is not returned while its media cannot be read', async () => {
  const { sessions, store, state } = await openNode();
  await store.decide(state, decidedOf('1-1', 'other'), recordOf('1-1'), millis(0));
  const unavailable = { kind: 'UNAVAILABLE' };
  await expect(sessions.find('s')).rejects.toMatchObject(unavailable);
  const own = sessions.decide(state, decidedOf('1-1', 'own'), recordOf('1-1'), millis(0));
  await expect(own).rejects.toMatchObject(unavailable);
});

test('a presentation that this node has stored is returned as such; that of another node needs its media', async () => {
  const { frozen } = await openNode();
  expect(await frozen.freeze('s', frozenOf('deleted'), [])).toMatchObject({ isFirst: true });
  await expect(frozen.freeze('s', frozenOf('own'), [])).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
});
