// SPDX-License-Identifier: Apache-2.0

import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../../test/laws/manualClock.ts';
import { createNodes, type Node, type Nodes } from '../../../test/laws/nodes.ts';
import { createStoreWithOutages, type StoreWithOutages } from '../../../test/laws/storeWithOutages.ts';
import {
  airingOf,
  decide,
  foldDecisions,
  hlsOf,
  syntheticChannel,
  viewerOf,
} from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { twoSecondAsset } from '../../../test/laws/syntheticTitle.ts';
import { ColumnWitness } from '../../../test/laws/witness.ts';
import { seededRandom } from '../../../test/seededRandom.ts';
import { sqlSessions } from '../../adapters/sql/sessions/sqlSessions.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import { openSqlite } from '../../database.ts';
import { AppError } from '../../errors.ts';
import type { SessionState, SessionStore, StoredDecision } from '../../sessions/ports.ts';
import { millis } from '../../time/units.ts';
import { spanStart } from '../../timeline/programme/span.ts';
import { viewAt } from '../view/view.ts';
import { createLostResponses, foldBefore } from './decisionRecorder.ts';

const START = Date.parse('2026-03-01T00:00:00.123Z');
const unavailable = () => new AppError('UNAVAILABLE', 'No replica has confirmed the change.');

let sql: Sql;
let clock: ManualClock;
let store: StoreWithOutages;
let nodes: Nodes;
/** What happens to the next decision: it is stored, but the call fails; with `outage`, so do all calls after it. */
let failing: 'response' | 'outage' | undefined;
let lost: string | undefined;
beforeEach(async () => {
  sql = await openSqlite(':memory:');
  const real = sqlSessions(sql);
  failing = undefined;
  lost = undefined;
  const lossy: SessionStore = {
    ...real,
    async decide(state, decision, record, foldBefore) {
      const decided = await real.decide(state, decision, record, foldBefore);
      if (failing === undefined) return decided;
      lost = `${state.session.id} ${decision.breakId}`;
      if (failing === 'outage') store.begin('refused');
      failing = undefined;
      throw unavailable();
    },
  };
  store = createStoreWithOutages(lossy);
  clock = createManualClock(START + 60_000, () => store.pending() > 0);
  const asset = syntheticAsset({ name: 'video', qualities: 2, segments: new Array<number>(10).fill(50) });
  // A break of 10 s every 30 s.
  const channel = syntheticChannel([{ asset, cuePoints: [{ spliceTime: 8, maxDuration: 10 }] }], START);
  nodes = createNodes(() => channel, store.store, clock, seededRandom(1));
});
afterEach(async () => {
  nodes.close();
  await sql.close();
});

async function watch(node: Node, session: string, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await clock.runUntil(node.view(session));
    await clock.advance(1000);
  }
}

const countsOf = (one: string) => [
  nodes.requests.get(one),
  nodes.errors.get(one),
  nodes.recorded.get(one.split(' ')[1]!),
];

test('a decision that was stored although the call failed is counted once, and its Error URLs are called', async () => {
  const node = nodes.add();
  const { value: session } = await clock.runUntil(node.open());
  await watch(node, session, 20);
  failing = 'response';
  await watch(node, session, 60);
  expect(countsOf(lost!)).toEqual([1, 1, 1]);
});

test('a decision that was stored is counted by the node that made it, also if its viewer has moved to another node', async () => {
  const [node, other] = [nodes.add(), nodes.add()];
  const { value: session } = await clock.runUntil(node.open());
  await watch(node, session, 20);
  failing = 'response';
  while (lost === undefined) await watch(node, session, 1);
  await watch(other, session, 30);
  expect(countsOf(lost)).toEqual([1, 1, 1]);
});

test('a decision that was stored is not counted if the viewer was shown slate', async () => {
  const node = nodes.add();
  const { value: session } = await clock.runUntil(node.open());
  await watch(node, session, 20);
  failing = 'outage';
  while (lost === undefined) await watch(node, session, 1);
  await watch(node, session, 40);
  store.end();
  await watch(node, session, 15);
  expect(countsOf(lost)).toEqual([1, undefined, undefined]);
  await node.record();
  await watch(node, session, 15);
  expect(countsOf(lost)).toEqual([1, undefined, 1]);
});

test('only the decision of the break that has the same writer counts, and it is looked up until the store responds', async () => {
  const decision = (breakId: string, writer: string) => ({ breakId, writer }) as StoredDecision;
  let state: SessionState | undefined;
  const sessions = {
    find: async () => {
      if (state === undefined) throw unavailable();
      return state;
    },
  };
  const { timers } = clock;
  const found: string[] = [];
  const responses = createLostResponses({
    sessions,
    health: { isUnavailable: () => false },
    timers,
    log: expect.unreachable,
  });
  responses.watch('s', decision('1-1', 'own'), () => found.push('1-1'));
  responses.watch('s', decision('1-2', 'own'), () => found.push('1-2'));
  responses.watch('s', decision('1-3', 'own'), () => found.push('1-3'));
  await clock.advance(30_000);
  state = { decisions: [decision('1-1', 'other'), decision('1-2', 'own')] } as unknown as SessionState;
  await clock.advance(10_000);
  expect(found).toEqual(['1-2']);
  state = { decisions: [decision('1-3', 'own')] } as unknown as SessionState;
  await clock.advance(10_000);
  expect(found).toEqual(['1-2', '1-3']);
});

const rate = { n: 25, d: 1 };
const start = Date.parse('2026-03-01T00:00:00Z');
const minute = 60_000;

test('a break of ten minutes keeps its ads until it has left the window, while later breaks are decided', async () => {
  const asset = twoSecondAsset('video', 5);
  const channel = syntheticChannel([{ asset, cuePoints: [{ spliceTime: 10, maxDuration: 600 }] }], start);
  const airing = airingOf(channel, 60);
  const viewer = viewerOf(airing, start + minute);
  const seen = new ColumnWitness('v0', rate);
  const decider = {
    settle: async () => {},
    begin(
      _airing: unknown,
      _viewer: unknown,
      { span, joined }: { span: Parameters<typeof decide>[2]; joined: number },
    ) {
      const { id, frames } = span.break!;
      const ad = Math.floor((frames - joined) / 2);
      const ads = [{ adId: `${id}-0`, mediaId: `m1x${ad}`, frames: ad }];
      decide(channel, viewer, span, { breakId: id, startsAt: spanStart(span), joined, ads });
      foldDecisions(channel, viewer, foldBefore(viewer.choices, spanStart(span) - 4 * minute));
    },
  };
  for (let now = start + minute; now < start + 40 * minute; now += 4000) {
    const view = await viewAt(airing, viewer, decider, millis(now));
    expect(() => seen.check(hlsOf(view, 0), now)).not.toThrow();
  }
  expect(viewer.state.decisions.length).toBeLessThan(4);
});

test('decisions of breaks that have left every window may be folded', () => {
  expect(foldBefore({ decided: [], odometer: { segments: [], discontinuities: 0 } }, 5000)).toBe(5000);
  expect(foldBefore({ decided: [], odometer: { segments: [], discontinuities: 0 } }, -1)).toBe(0);
});
