// SPDX-License-Identifier: Apache-2.0
// Laws 1, 3 and 8 for the timelines of live feeds (docs/laws.md): several processes read an origin that shows each of them another
// edge, are killed or suspended at random, and lose the store at random.
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { lawSeeds } from '../../../../test/lawRuns.ts';
import { type FeedNodeOptions, startFeedNode } from '../../../../test/laws/feedNodes.ts';
import { createManualClock, type ManualClock } from '../../../../test/laws/manualClock.ts';
import { createScriptedOrigin, feedOf, type ScriptedOrigin, SEGMENT_MS } from '../../../../test/laws/scriptedFeed.ts';
import { createStoreWithOutages, type StoreWithOutages } from '../../../../test/laws/storeWithOutages.ts';
import { createSuspendable, type Suspendable } from '../../../../test/laws/suspendable.ts';
import { seededRandom } from '../../../../test/seededRandom.ts';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import type { LiveLog } from '../../../live/ports.ts';
import type { LiveEntry, Slot } from '../../../live/slot.ts';
import type { Sql } from '../sql.ts';
import { sqlLiveFeeds } from './sqlLiveFeeds.ts';
import { sqlLiveLog } from './sqlLiveLog.ts';

const START = 1_772_366_400_000;

type Node = {
  keeper: ReturnType<typeof startFeedNode>;
  readonly store: StoreWithOutages<LiveLog>;
  readonly process: Suspendable;
  readonly start: () => void;
};
const cacheAge = (random: () => number): number => Math.floor(2.5 * SEGMENT_MS * random() ** 2);

type Stage = { readonly clock: ManualClock; readonly origin: ScriptedOrigin; readonly nodes: readonly Node[] };

/** Rules with defects: the same on all nodes where entries are applied. */
const spoilAt =
  (random: () => number): NonNullable<FeedNodeOptions['spoil']> =>
  (rule, of) => {
    const { number = 0, slots = [] } = of as Partial<LiveEntry>;
    // A state that cannot be listed is one on all nodes: it is no matter of chance.
    if (rule === 'list') return;
    const isEntry = rule === 'apply' || rule === 'tailAfter';
    if (isEntry ? number % 11 === 5 && !slots[0]?.isAway : random() < 0.05) throw new TypeError(rule);
  };

type Staging = {
  readonly spoil?: NonNullable<FeedNodeOptions['spoil']>;
  /** How many milliseconds an origin is behind for a reader, at each reading. */
  readonly behind?: () => number;
};

async function openStage(
  sqls: readonly Sql[],
  life: string,
  random: () => number,
  { spoil, behind = () => cacheAge(random) }: Staging = {},
): Promise<Stage> {
  await sqlLiveFeeds(sqls[0]!).begin(feedOf(life, START));
  const stores = sqls.map((sql) => createStoreWithOutages(sqlLiveLog(sql)));
  const isBusy = () => stores.some((store) => store.pending() > 0);
  const clock = createManualClock(START + Math.floor(5000 * random()), isBusy);
  const origin = createScriptedOrigin(clock, behind, () => 10 + Math.floor(300 * random() ** 3));
  const nodes = stores.map((store, index): Node => {
    const process = createSuspendable(store.store, clock, origin);
    const begin = () => startFeedNode({ ...process, node: `node ${index}`, isShared: true, ...(spoil && { spoil }) });
    const node: Node = {
      keeper: begin(),
      store,
      process,
      start() {
        node.keeper.stop();
        node.keeper = begin();
      },
    };
    return node;
  });
  onTestFinished(() => {
    for (const { keeper } of nodes) keeper.stop();
  });
  return { clock, origin, nodes };
}

/** A slot that was shown never changes, slots have no hole, and the live edge does not move back. */
class SlotWitness {
  readonly #known = new Map<number, string>();
  #edge = -1;
  /** @returns the last slot */
  check(slots: readonly Slot[], place?: string): Slot {
    for (const [index, slot] of slots.entries()) {
      const last = slots[index - 1];
      if (last !== undefined) expect(slot.number).toBe(last.number + 1);
      const text = JSON.stringify(slot);
      const known = this.#known.get(slot.number) ?? text;
      expect(text).toBe(known);
      this.#known.set(slot.number, known);
    }
    const last = slots.at(-1)!;
    expect(last.number, place).toBeGreaterThanOrEqual(this.#edge);
    this.#edge = last.number;
    return last;
  }
}

/** What a viewer has of a feed, even if it is still being woken. */
async function stateOf({ clock }: Stage, { keeper }: Node, life: string): Promise<readonly Slot[]> {
  const used = async () => {
    await keeper.catchUp();
    return keeper.use(feedOf(life, START));
  };
  return (await clock.runUntil(used())).value;
}

onEachOpenStore((one, { name, open }) => {
  const seeds = lawSeeds(1);
  let sqls: Sql[];
  beforeAll(async () => {
    // In memory, each SQLite store is a database of its own.
    sqls = name === 'SQLite' ? [one, one, one] : [one, await open(), await open()];
  });

  test.each(seeds)('nodes show the same at the same time, also when they are killed (%i)', async (seed) => {
    const random = seededRandom(seed);
    const life = `killed-${seed}`;
    const stage = await openStage(sqls, life, random, seed % 2 === 0 ? {} : { spoil: spoilAt(seededRandom(seed + 1)) });
    const { clock, nodes } = stage;
    const pick = () => nodes[Math.floor(random() * nodes.length)]!;
    const witness = new SlotWitness();
    for (let poll = 0; poll < 200; poll += 1) {
      if (random() < 0.05) pick().start();
      const last = witness.check(await stateOf(stage, pick(), life));
      expect(clock.now() - last.start.millis).toBeLessThan(5 * SEGMENT_MS + 2000);
      await clock.advance(100 + 1500 * random());
    }
    for (const node of nodes) await stateOf(stage, node, life);
    await clock.advance(400);
    const ends = await Promise.all(nodes.map(async (node) => (await stateOf(stage, node, life)).slice(-5)));
    for (const end of ends) expect(end).toEqual(ends[0]);
  });

  test.each(seeds)('a node that was suspended shows what the others show (%i)', async (seed) => {
    const random = seededRandom(200 + seed);
    const life = `suspended-${seed}`;
    const stage = await openStage(sqls, life, random);
    const { clock, nodes } = stage;
    const witness = new SlotWitness();
    const look = async (node: Node) => witness.check(await stateOf(stage, node, life));
    for (let poll = 0; poll < 150; poll += 1) {
      const awake = nodes.filter(({ process }) => !process.isSuspended());
      if (awake.length > 1 && random() < 0.1) awake.shift()!.process.suspend();
      for (const node of nodes) {
        if (!node.process.isSuspended()) await look(node);
        else if (random() < 0.15) {
          node.process.resume();
          await look(node);
        }
      }
      await clock.advance(100 + 1500 * random());
    }
  });

  test.each(seeds)('nodes that lose the store together show the same timeline at any of them (%i)', async (seed) => {
    const random = seededRandom(300 + seed);
    const life = `together-${seed}`;
    // Without caches that state different edges.
    const stage = await openStage(sqls, life, random, { behind: () => 0 });
    const { clock, nodes } = stage;
    const witness = new SlotWitness();
    for (const node of nodes) await stateOf(stage, node, life);
    await clock.advance(Math.floor(40_000 + 4000 * random()));
    for (let time = 0; time < 5; time += 1) {
      const how = (['refused', 'silent', 'lost'] as const)[Math.floor(random() * 3)]!;
      // Between the end of a segment and the instant at which its entry is shown.
      await clock.advance(SEGMENT_MS - (clock.now() % SEGMENT_MS) + Math.floor(SEGMENT_MS * random()));
      const [begunAt, lasts] = [clock.now(), 60_000 * random() ** 2];
      // If the origin no longer lists all of the outage, a node that starts in it may store less than others have shown.
      const starts = random() < 0.5 && lasts < 8000 ? nodes[Math.floor(random() * nodes.length)] : undefined;
      for (const { store } of nodes) store.begin(how);
      starts?.start();
      for (let isOver = false; clock.now() < begunAt + lasts + 30_000; ) {
        const node = nodes[Math.floor(random() * nodes.length)]!;
        const shown = await stateOf(stage, node, life).catch((error: unknown) => {
          // A node that starts meanwhile refuses requests. Another one responds.
          if (node !== starts) throw error;
          expect(error).toMatchObject({ kind: 'UNAVAILABLE' });
          return stateOf(stage, nodes.find((other) => other !== starts)!, life);
        });
        const { start } = witness.check(shown, `at ${clock.now() - begunAt} of ${lasts}`);
        expect(clock.now() - start.millis).toBeLessThan(3 * SEGMENT_MS + 2000);
        // The reading and storing that matters takes place in the second before an outage, and shows in those after it.
        const isFine = clock.now() < begunAt + 5000;
        await clock.advance(Math.ceil((isFine ? 200 : 900) * random()));
        if (isOver || clock.now() < begunAt + lasts) continue;
        isOver = true;
        for (const { store } of nodes) store.end();
      }
    }
  });

  test.each(seeds)(
    'what a node has shown stays as it is through outages of the store, and the nodes agree after them (%i)',
    async (seed) => {
      const random = seededRandom(100 + seed);
      const life = `outages-${seed}`;
      const defects = seededRandom(seed + 1);
      const spoil: Staging['spoil'] = (rule) => {
        if (rule === 'split' && defects() < 0.1) throw new TypeError(rule);
      };
      const stage = await openStage(sqls, life, random, { spoil });
      const { clock, nodes } = stage;
      const witnesses = nodes.map(() => new SlotWitness());
      for (const node of nodes) await stateOf(stage, node, life);
      for (let poll = 0; poll < 250; poll += 1) {
        for (const { store } of nodes) {
          if (store.isUnavailable() ? random() < 0.05 : random() < 0.01) {
            if (store.isUnavailable()) store.end();
            else store.begin((['refused', 'silent', 'lost'] as const)[Math.floor(random() * 3)]!);
          }
        }
        for (const [index, node] of nodes.entries()) {
          const last = witnesses[index]!.check(await stateOf(stage, node, life));
          expect(clock.now() - last.start.millis).toBeLessThan(5 * SEGMENT_MS + 3000);
        }
        await clock.advance(100 + 1500 * random());
      }
      for (const { store } of nodes) store.end();
      for (let second = 0; second < 30; second += 1) {
        for (const node of nodes) await stateOf(stage, node, life);
        await clock.advance(1000);
      }
      const media = (slots: readonly Slot[]) => slots.slice(-5).map(({ start, segments }) => ({ start, segments }));
      const ends = await Promise.all(nodes.map(async (node) => media(await stateOf(stage, node, life))));
      for (const end of ends) expect(end).toEqual(ends[0]);
      const logged = (await sqlLiveLog(sqls[0]!).read(life, 0)).flatMap(({ slots }) => slots);
      for (const [index, slot] of logged.entries())
        if (index > 0) expect(slot.start.millis).toBeGreaterThan(logged[index - 1]!.start.millis);
    },
  );
});
