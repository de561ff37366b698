// SPDX-License-Identifier: Apache-2.0
// A viewer of a VoD session who pauses for days and seeks back to an ad. Another process, which holds nothing in memory, records
// the second visit, after everything that may be removed was removed.
import { expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { fresh, sessionOf } from '../../../../test/stores/records.ts';
import type { BreakRecord } from '../../../ads/record/breakRecord.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { deliveredBeacons } from '../../../tracking/beacons/writeBeacons.ts';
import { createDeliveryWriter } from '../../../tracking/deliveries/writeDeliveries.ts';
import { readVast } from '../../../vast/read/readVast.ts';
import { sqlFrozen } from '../sessions/sqlFrozen.ts';
import { sqlSessions } from '../sessions/sqlSessions.ts';
import { sqlBeacons } from './sqlBeacons.ts';
import { sqlDeliveries } from './sqlDeliveries.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const openedAt = Date.parse('2026-03-01T12:00:00.000Z');
const at = (ms: number): Millis => millis(openedAt + ms);
const grid = [2000, 4000, 6000];

const read = readVast(`<VAST version="4.2"><Ad id="x"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
  <Impression>https://a.test/impression</Impression><Creatives><Creative><Linear><Duration>00:00:06</Duration>
  <TrackingEvents><Tracking event="complete">https://a.test/complete</Tracking></TrackingEvents>
  <MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="1" height="1">https://a.test/v.mp4</MediaFile>
  </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`);
const [vast] = 'ads' in read ? read.ads : [];
const record: BreakRecord = {
  id: '0-1',
  startsAt: new Date(openedAt).toISOString(),
  duration: 6,
  status: 'filled',
  warnings: [],
  slate: 0,
  ads: [{ adId: '0-1-0', duration: 6, outcome: 'stitched', vast: vast! }],
};
onEachOpenStore((sql) => {
  test('an ad that is seen again days later counts once, as long as the session is kept', async () => {
    const [sessions, beacons, deliveries] = [sqlSessions(sql), sqlBeacons(sql), sqlDeliveries(sql)];
    const session = sessionOf('viewer', at(0), { assets: [], keepUntil: at(5 * DAY) });
    await sessions.create(session, fresh);
    await sqlFrozen(sql).freeze(session.id, { breaks: [] }, [record]);
    await sessions.seen([session.id], at(0));
    /** A new process records that the viewer requests the whole ad. */
    const watchAd = async (now: Millis) => {
      const { write } = createDeliveryWriter({
        deliveries,
        breakRecord: sessions.findBreak,
        recordBeacons: ({ adId }, story, due) => beacons.record(deliveredBeacons(session, story, adId, due, now)),
      });
      const ad = { session, adId: '0-1-0', startsAt: at(0), grid, tracking: 'server' as const, holdBack: 0 };
      for (const segments of [[0], [1], [2]]) await write([{ ...ad, kind: 'pictures', segments, at: now }]);
    };
    /** With a ledger of one day. */
    const removeOld = async (now: Millis) => {
      const limits = { now, unwatchedBefore: millis(now - HOUR) };
      await sessions.expire(millis(now - HOUR / 4), millis(now - HOUR / 60), limits);
      await beacons.forget(millis(now - DAY));
      await deliveries.forget(millis(now - 8 * HOUR), now);
    };
    const events = async () => {
      const rows = await beacons.list({ tenant: 't', from: at(0), to: at(100 * DAY) }, undefined, 100);
      return rows.map(({ event, recordedAt }) => [event, (recordedAt - openedAt) / DAY]);
    };
    const once = [
      ['impression', 0],
      ['complete', 0],
    ];
    await watchAd(at(0));
    // As if reports had counted it.
    await sql.db.updateTable('deliveries').set({ pictures_counted: 7 }).execute();
    expect(await events()).toEqual(once);
    for (const day of [2, 4, 5]) {
      await removeOld(at(day * DAY));
      await watchAd(at(day * DAY));
      expect(await events()).toEqual(once);
      const rows = await sql.db.selectFrom('deliveries').select(['pictures', 'pictures_counted', 'sound']).execute();
      expect(rows).toEqual([{ pictures: 7, pictures_counted: 7, sound: 0 }]);
    }
    await removeOld(at(6 * DAY));
    expect(await sessions.find(session.id)).toBeUndefined();
    expect([await events(), await deliveries.ofSession(session.id)]).toEqual([[], []]);
  });
});
