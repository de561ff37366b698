// SPDX-License-Identifier: Apache-2.0
// What an early return leaves of a viewer's ads, on two nodes that share a store: record, feed, deliveries and beacons.
import { expect, test } from 'vitest';
import { createStoreWithOutages } from '../../../../test/laws/storeWithOutages.ts';
import {
  LIVE_START,
  liveFeed,
  liveNode,
  liveViewer,
  type OriginPlan,
  writeLog,
} from '../../../../test/laws/syntheticLive.ts';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { adRecord, richAd } from '../../../../test/vast/richAd.ts';
import type { BreakRecord } from '../../../ads/record/breakRecord.ts';
import { type Airing, placeDecision } from '../../../playback/onAir/airing.ts';
import { scheduledBreaks } from '../../../playback/view/availsOf.ts';
import type { EndedBreak } from '../../../playback/viewers/settledDecisions.ts';
import { createStoreHealth } from '../../../playback/viewers/storeHealth.ts';
import { createViewers, type Viewer, type Viewers } from '../../../playback/viewers/viewers.ts';
import type { StoredDecision } from '../../../sessions/ports.ts';
import { type Millis, millis, secondsToFlicks } from '../../../time/units.ts';
import { after, clockAt, isBreakSpan, placeOf } from '../../../timeline/programme/span.ts';
import { deliveredBeacons } from '../../../tracking/beacons/writeBeacons.ts';
import type { Delivery } from '../../../tracking/deliveries/delivery.ts';
import { requestSegment } from '../../../tracking/deliveries/segmentRequest.ts';
import { createDeliveryWriter } from '../../../tracking/deliveries/writeDeliveries.ts';
import { systemTimers } from '../../systemClock.ts';
import type { Sql } from '../sql.ts';
import { sqlBeacons } from '../tracking/sqlBeacons.ts';
import { sqlDeliveries } from '../tracking/sqlDeliveries.ts';
import { sqlSessions } from './sqlSessions.ts';

const SLOT_MS = 2000;
const BREAK_SLOT = 20;
/** Announced for 24 s, ends after 16 s. */
const plan: OriginPlan = {
  frames: 50,
  breaks: [{ slot: BREAK_SLOT, ends: BREAK_SLOT + 8, announced: secondsToFlicks(24), leadSlots: 8 }],
};
const feed = liveFeed(plan.frames, 2);
const entries = writeLog(feed, plan, { fill: 'slate', maxBreak: secondsToFlicks(60) }, 60, () => 0);
const startOfSlot = (slot: number): Millis => millis(clockAt(LIVE_START, 0) + slot * SLOT_MS);
const OPENED = startOfSlot(10);
const iso = (at: number) => new Date(at).toISOString();
const idOf = (breakId: string) => [0, 1, 2].map((index) => `${breakId}-${index}`);

const LENGTHS = [9, 10, 4];

/** Three ads of 9, 10 and 4 s: the second is cut after 6 s, and the third does not start. */
function recordOf(breakId: string, startsAt: number): BreakRecord {
  const ads = idOf(breakId).map((adId, index) => {
    const before = LENGTHS.slice(0, index).reduce((sum, seconds) => sum + seconds, 0);
    return { ...adRecord(adId, iso(startsAt + 1000 * before), richAd()), duration: LENGTHS[index]! };
  });
  return { id: breakId, startsAt: iso(startsAt), duration: 24, status: 'partial', slate: 1, warnings: [], ads };
}

type Node = {
  readonly viewers: Viewers;
  readonly airingAt: (now: number) => Airing;
  /** Breaks for which this node stored the actual length first. */
  readonly ended: EndedBreak[];
};

function startNode(sql: Sql): Node {
  const ended: EndedBreak[] = [];
  const viewers = createViewers(
    sqlSessions(sql),
    createStoreHealth(systemTimers, () => {}),
    10,
    (one) => ended.push(one),
  );
  return { viewers, ended, airingAt: liveNode(feed, entries, 0, { tracking: 'server' }).airingAt };
}

const viewerAt = async ({ viewers, airingAt }: Node, id: string, at: number): Promise<Viewer> =>
  (await viewers.find(id, airingAt(at), millis(at)))!;

/** A session with a decision for the break, before it starts. */
async function openSession(sql: Sql, { airingAt }: Node, id: string) {
  const airing = airingAt(startOfSlot(BREAK_SLOT));
  const { state } = liveViewer(airing, OPENED, { joinedAt: millis(OPENED - 8000) }, 'hls');
  const sessions = sqlSessions(sql);
  const session = { ...state.session, id };
  await sessions.create(session, state.odometer);
  const { programme } = airing;
  const span = programme.spansBetween(startOfSlot(BREAK_SLOT - 1), startOfSlot(BREAK_SLOT + 5)).find(isBreakSpan)!;
  const { id: breakId, startsAt } = placeOf(span);
  const ads = idOf(breakId).map((adId, index) => {
    const frames = 25 * LENGTHS[index]!;
    return { adId, mediaId: `p${index}x${frames}`, frames };
  });
  const decision = { breakId, startsAt, joined: 0, ads };
  const stored: StoredDecision = { ...decision, shift: placeDecision(airing, span, decision).shift };
  await sessions.decide({ ...state, session }, stored, recordOf(breakId, startsAt), millis(0));
  return { session, breakId, startsAt, ads };
}

const outcomes = ({ ads }: BreakRecord) => ads.map(({ outcome, shown, reason }) => [outcome, shown, reason?.code]);
const cutOutcomes = [
  ['stitched', undefined, undefined],
  ['stitched', 6, 'EARLY_RETURN'],
  ['skipped', undefined, 'EARLY_RETURN'],
];
const DURING = startOfSlot(BREAK_SLOT + 9);
const AFTERWARDS = startOfSlot(BREAK_SLOT + 14);

onEachOpenStore((_, { name, open }) => {
  /** In memory, each SQLite store is a database of its own. */
  const openNodes = async (): Promise<readonly [Sql, Sql]> => {
    const one = await open();
    return [one, name === 'SQLite' ? one : await open()];
  };

  test('all nodes store the same record of a break that ended early, and a restarted one, too', async () => {
    const sqls = await openNodes();
    const nodes = sqls.map(startNode);
    const { breakId, startsAt } = await openSession(sqls[0], nodes[0]!, 'two-nodes');
    const stored = () => sqlSessions(sqls[0]).findBreak('two-nodes', breakId);
    for (const node of nodes) {
      await viewerAt(node, 'two-nodes', DURING);
      await node.viewers.flushSeen(DURING);
    }
    expect(await stored()).toEqual(recordOf(breakId, startsAt));
    await viewerAt(nodes[0]!, 'two-nodes', AFTERWARDS);
    // The other node has not stored anything yet when it is replaced.
    await viewerAt(nodes[1]!, 'two-nodes', AFTERWARDS);
    const restarted = startNode(sqls[1]);
    await viewerAt(restarted, 'two-nodes', AFTERWARDS);
    await restarted.viewers.flushSeen(AFTERWARDS);
    const cut = await stored();
    expect(outcomes(cut!)).toEqual(cutOutcomes);
    expect(cut).toMatchObject({ duration: 16, status: 'partial', slate: 1, reason: { code: 'EARLY_RETURN' } });
    for (const node of nodes) await node.viewers.flushSeen(AFTERWARDS);
    expect(await stored()).toEqual(cut);
    expect((await sqlSessions(sqls[1]).find('two-nodes'))!.decisions[0]!.settled?.shown).toMatchObject({
      frames: 400,
      ads: [225, 150, 0],
    });
    // Reports follow once, by the node that was first.
    const ended = [...nodes, restarted].flatMap((node) => node.ended);
    expect(ended).toMatchObject([{ place: { frames: 600 }, record: { duration: 24 }, shown: { frames: 400 } }]);
  });

  test('what cannot be stored during an outage is stored after it', async () => {
    const [sql] = await openNodes();
    const { store, begin, end } = createStoreWithOutages(sqlSessions(sql));
    const viewers = createViewers(
      store,
      createStoreHealth(systemTimers, () => {}),
      10,
    );
    const node = { viewers, ended: [], airingAt: startNode(sql).airingAt };
    const { breakId, startsAt } = await openSession(sql, node, 'outage');
    await viewerAt(node, 'outage', AFTERWARDS);
    begin('refused');
    await expect(viewers.flushSeen(AFTERWARDS)).rejects.toThrow();
    end();
    expect(await store.findBreak('outage', breakId)).toEqual(recordOf(breakId, startsAt));
    await viewers.flushSeen(AFTERWARDS);
    expect(outcomes((await store.findBreak('outage', breakId))!)).toEqual(cutOutcomes);
  });

  test('the feed is cut before the record in the store is', async () => {
    const [sql] = await openNodes();
    const node = startNode(sql);
    const { breakId, startsAt } = await openSession(sql, node, 'feed');
    const state = (await sqlSessions(sql).find('feed'))!;
    const recorded = recordOf(breakId, startsAt);
    expect(scheduledBreaks(node.airingAt(DURING), state, [recorded])).toEqual([recorded]);
    const [cut] = scheduledBreaks(node.airingAt(AFTERWARDS), state, [recorded]);
    expect(outcomes(cut!)).toEqual(cutOutcomes);
    expect(scheduledBreaks(node.airingAt(AFTERWARDS), state, [cut!])).toEqual([cut]);
  });

  test('events before the cut are sent once, and no event after it', async () => {
    const sqls = await openNodes();
    const nodes = sqls.map(startNode);
    const { session, startsAt, ads } = await openSession(sqls[0], nodes[0]!, 'beacons');
    let now: number = startsAt;
    let turn = 0;
    /** Every other request reaches the other node. */
    const request = (ad: (typeof ads)[number], rung: number, index: number) => {
      const [sql, { viewers, airingAt }] = [sqls[turn % 2]!, nodes[turn % 2]!];
      turn += 1;
      const airing = airingAt(now);
      const channel = airing.channel;
      const { write } = createDeliveryWriter({
        deliveries: sqlDeliveries(sql),
        breakRecord: sqlSessions(sql).findBreak,
        recordBeacons: (delivery, record, due) =>
          sqlBeacons(sql).record(deliveredBeacons(delivery.session, record, delivery.adId, due, millis(now))),
      });
      const deps = {
        channelsNamed: () => [{ channel, airing }],
        findSession: async () => {
          const viewer = (await viewers.find(session.id, airing, millis(now)))!;
          const spanOf = (adId: string) =>
            viewer.choices.decided.flatMap(({ spans }) => spans).find((span) => span.adId === adId);
          return { session, channel, holdBack: 6000, lag: airing.programme.lag, spanOf, reload: async () => {} };
        },
        recordDelivery: (delivery: Delivery) => write([delivery]),
        onLost: (error: unknown) => expect(error).toBeUndefined(),
        now: () => millis(now),
        timers: systemTimers,
      };
      const segment = { ad, rung, index };
      return requestSegment(deps, { channelId: 'c', sessionId: session.id, segment, isDelivery: true });
    };
    // A player that follows the edge, and requests all segments that may exist, listed or not, until long after the break.
    for (; now < AFTERWARDS; now += 1000) {
      const viewer = await viewerAt(nodes[turn % 2]!, session.id, now);
      const edge = nodes[turn % 2]!.airingAt(now).programme.edgeAt(millis(now));
      for (const { adId, placed } of viewer.choices.decided.flatMap(({ spans }) => spans)) {
        const ad = ads.find((one) => one.adId === adId);
        if (ad === undefined || placed.startsAt >= edge) continue;
        for (const [rung, cell] of placed.clip.cells.entries())
          for (let index = cell.first; index < cell.end; index += 1)
            if (after(placed.start, secondsToFlicks(2 * index + 2)).millis <= edge - 500)
              await request(ad, rung, index);
      }
      if (edge > startOfSlot(BREAK_SLOT + 8))
        for (const ad of ads) for (const index of [0, 1, 2, 3, 4]) await request(ad, 0, index);
    }
    const filter = { tenant: 't', from: millis(0), to: millis(2 * startsAt), sessionId: session.id };
    const rows = await sqlBeacons(sqls[0]).list(filter, undefined, 100);
    const sent = rows.map(({ ownerId, event, url }) => `${ownerId} ${event} ${url}`).sort();
    expect(new Set(sent).size).toBe(sent.length);
    const ofAd = (index: number) =>
      [...new Set(rows.filter(({ ownerId }) => ownerId === ads[index]!.adId).map(({ event }) => event))].sort();
    expect(ofAd(0)).toEqual(
      [
        'impression',
        'start',
        'firstQuartile',
        'midpoint',
        'thirdQuartile',
        'complete',
        'progress 3s',
        'progress 8.1s',
      ].sort(),
    );
    expect(ofAd(1)).toEqual(['impression', 'start', 'firstQuartile', 'progress 3s', 'midpoint'].sort());
    expect(ofAd(2)).toEqual([]);
    // The player shows them after the break has ended on the timeline.
    const late = rows.filter(({ ownerId, event }) => ownerId === ads[1]!.adId && event === 'progress 3s');
    expect(late[0]!.dueAt).toBeGreaterThan(startsAt + 16_000);
  });
});
