// SPDX-License-Identifier: Apache-2.0
// Laws 1 to 8 with several nodes, while the session store becomes unavailable at random (docs/laws.md).
import { expect, test } from 'vitest';
import { lawSeeds } from '../../../test/lawRuns.ts';
import { createManualClock, type ManualClock } from '../../../test/laws/manualClock.ts';
import { createNodes, type Node, type Nodes } from '../../../test/laws/nodes.ts';
import { createStoreWithOutages, type StoreWithOutages } from '../../../test/laws/storeWithOutages.ts';
import { hlsOf, mpdOf, type SyntheticChannel, syntheticChannel } from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { ColumnWitness, RowsWitness } from '../../../test/laws/witness.ts';
import { seededRandom } from '../../../test/seededRandom.ts';
import { onEachOpenStore } from '../../../test/servers/sqlStores.ts';
import { type View, windowOf } from '../../playback/view/view.ts';
import { DECISION_TIMEOUT_MS } from '../../playback/viewers/breaks.ts';
import { sqlSessions } from './sessions/sqlSessions.ts';
import type { Sql } from './sql.ts';

const START = Date.parse('2026-03-01T00:00:00.123Z');
const SEGMENT = 2000;
const STEP = 250;

/** With a break of 10 s every 30 s. */
const channelWithBreaks = (): SyntheticChannel =>
  syntheticChannel(
    [
      {
        asset: syntheticAsset({
          name: 'video',
          qualities: 2,
          segments: new Array<number>(10).fill((25 * SEGMENT) / 1000),
        }),
        cuePoints: [{ spliceTime: 8, maxDuration: 10 }],
      },
    ],
    START,
  );

const edgeOf = (view: View): number => Math.max(...windowOf(view).rows.map(({ span }) => span.placed.endsAt));

type Stage = {
  readonly clock: ManualClock;
  readonly store: StoreWithOutages;
  readonly nodes: Nodes;
  readonly channel: SyntheticChannel;
  readonly random: () => number;
};

function openStage(sql: Sql, seed: number): Stage {
  const random = seededRandom(seed);
  const store = createStoreWithOutages(sqlSessions(sql));
  const clock = createManualClock(START + 60_000 + Math.floor(random() * 60_000), () => store.pending() > 0);
  const channel = channelWithBreaks();
  return { clock, store, channel, random, nodes: createNodes(() => channel, store.store, clock, random) };
}

/** Makes the store unavailable at random, for a moment or for minutes. */
function outages({ clock, store, random }: Stage): { readonly turn: () => void; readonly endedAt: () => number } {
  let changesAt = clock.now() + 90_000 * random();
  let endedAt: number = clock.now();
  return {
    endedAt: () => endedAt,
    turn() {
      if (clock.now() < changesAt) return;
      if (store.isUnavailable()) {
        store.end();
        endedAt = clock.now();
        changesAt = clock.now() + 10_000 + 90_000 * random();
      } else {
        store.begin((['refused', 'silent', 'lost'] as const)[Math.floor(random() * 3)]!);
        changesAt = clock.now() + 1000 + 150_000 * random() ** 2;
      }
    },
  };
}

/** Checks how long a manifest waits for the store, and its live edge. */
async function viewOf({ clock, store }: Stage, node: Node, session: string): Promise<View> {
  const { value, ms } = await clock.runUntil(node.view(session));
  if (store.isUnavailable()) expect(ms, 'milliseconds of waiting for the store').toBeLessThanOrEqual(600);
  expect(windowOf(value).rows.length, 'rows of a manifest').toBeGreaterThan(0);
  const oldest = value.now - DECISION_TIMEOUT_MS - SEGMENT - STEP;
  expect(edgeOf(value), 'the live edge').toBeGreaterThanOrEqual(oldest);
  return value;
}

/** @param moves when another node may serve the viewer's next request */
async function watchThroughOutages(
  sql: Sql,
  seed: number,
  moves: 'always' | 'while the store is available',
): Promise<void> {
  const stage = openStage(sql, seed);
  const { clock, store, nodes, channel, random } = stage;
  const all = [nodes.add(), nodes.add(), nodes.add()];
  const started: Node[] = [];
  const pick = (): Node => all[Math.floor(random() * all.length)]!;
  let node = pick();
  const { value: session } = await clock.runUntil(node.open());
  for (const one of all) await clock.runUntil(one.view(session));
  const columns = channel.ladder.rungs.map(({ id }) => new ColumnWitness(id, channel.ladder.frameRate));
  const rows = new RowsWitness();
  const outage = outages(stage);
  let recordAt = 0;
  for (let poll = 0; poll < 250; poll += 1) {
    outage.turn();
    const isSteady = !store.isUnavailable() && clock.now() > outage.endedAt() + 5000;
    if (moves === 'always' || (isSteady && random() < 0.2)) node = pick();
    // A node that starts during an outage serves no viewer until it has read their sessions.
    if (random() < 0.02 && started.length < 2) started.push(nodes.add());
    for (const one of isSteady ? started.splice(0) : []) {
      await clock.runUntil(one.view(session));
      all.push(one);
    }
    const view = await viewOf(stage, node, session);
    for (const [rung, column] of columns.entries()) column.check(hlsOf(view, rung), view.now);
    rows.check(mpdOf(view));
    if (clock.now() >= recordAt) {
      for (const one of all) one.record().catch(() => {});
      recordAt = clock.now() + 2000;
    }
    await clock.advance(300 + 2300 * random());
  }
  store.end();
  await clock.advance(20_000);
  for (const one of all) await clock.runUntil(one.record());
  expect(
    [...nodes.requests.values()].filter((count) => count > 1),
    'breaks requested twice',
  ).toEqual([]);
  expect(
    [...nodes.errors.values()].filter((count) => count > 1),
    'Error URLs called twice',
  ).toEqual([]);
  nodes.close();
}

/** Milliseconds within which a list is returned. */
const PATIENCE = 8000;

/** At each break, two of three nodes get the request for its list at once. */
async function listThroughOutages(sql: Sql, seed: number): Promise<void> {
  const stage = openStage(sql, seed);
  const { clock, store, nodes, random } = stage;
  const all = [nodes.add(), nodes.add(), nodes.add()];
  const { value: session } = await clock.runUntil(all[0]!.open());
  for (const one of all) await clock.runUntil(one.view(session));
  const outage = outages(stage);
  const shown = new Set<string>();
  for (let round = 0; round < 40; round += 1) {
    const wasSteady = !store.isUnavailable() && clock.now() > outage.endedAt() + 5000;
    const others = all.toSpliced(Math.floor(random() * all.length), 1);
    const { value, ms } = await clock.runUntil(Promise.all(others.map((node) => node.list(session))));
    expect(ms, 'milliseconds until there are lists').toBeLessThanOrEqual(PATIENCE);
    const [one, other] = value as [(typeof value)[0], (typeof value)[0]];
    expect(one.pod?.length).toBeGreaterThan(0);
    if (wasSteady) expect(one, 'law 8').toEqual(other);
    shown.add(one.breakId);
    await clock.advance(20_000 * random());
    outage.turn();
    for (const each of all) each.record().catch(() => {});
  }
  store.end();
  await clock.advance(20_000);
  for (const one of all) await clock.runUntil(one.record());
  const last = await clock.runUntil(Promise.all([...all, nodes.add()].map((node) => node.list(session))));
  expect(new Set(last.value.map((one) => JSON.stringify(one))).size, 'law 8, after the outage').toBe(1);
  for (const { breakId } of last.value) shown.add(breakId);
  const { value: records } = await clock.runUntil(store.store.breaks(session, 60));
  expect(
    records.map(({ id }) => id),
    'breaks recorded',
  ).toEqual([...shown]);
  const requests = [...nodes.requests.values()];
  expect(requests.length, 'breaks requested').toBeGreaterThan(0);
  expect(
    requests.filter((count) => count > 1),
    'breaks requested twice',
  ).toEqual([]);
  nodes.close();
}

onEachOpenStore((sql, { name }) => {
  const seeds = lawSeeds(name === 'SQLite' ? 2 : 1);
  test.each(seeds)('laws 1 to 7 hold for a viewer during outages of the store (%i)', (seed) =>
    watchThroughOutages(sql, seed, 'while the store is available'),
  );

  test.each(seeds)(
    'laws 1 to 8 hold for a viewer that any node serves at any time, and manifests have a current live edge (%i)',
    (seed) => watchThroughOutages(sql, seed, 'always'),
  );

  test.each(seeds)('nodes return the same list of a break in time, with one ad request (%i)', (seed) =>
    listThroughOutages(sql, seed),
  );
});
