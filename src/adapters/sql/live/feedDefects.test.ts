// SPDX-License-Identifier: Apache-2.0
// Defects in the rules of live feeds: they are logged, counted and shown, and the channel continues.
import { expect, test } from 'vitest';
import type { FeedNodeOptions, Shown } from '../../../../test/laws/feedNodes.ts';
import { SEGMENT_MS } from '../../../../test/laws/scriptedFeed.ts';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { feedStage, START } from '../../../../test/stores/feedStage.ts';
import { invariant, isInvariantError } from '../../../invariant.ts';
import type { LiveEntry } from '../../../live/slot.ts';
import { DEFECT } from '../../../playback/live/feedStatus.ts';

onEachOpenStore((sql) => {
  const on = feedStage(sql);
  const { feed, start, warm, watch, lagOf } = on;

  /** A rule that throws, as the message of what it throws. */
  const faulty: Record<string, NonNullable<FeedNodeOptions['spoil']>> = {
    'a tail that cannot be continued': (rule) => {
      if (rule === 'nextEntry') throw new TypeError('a tail');
    },
    'an entry that cannot be applied': (rule, of) => {
      const { number, slots } = of as LiveEntry;
      if (rule === 'apply' && number % 5 === 3 && !slots[0]?.isAway) throw new TypeError('an entry');
    },
    'an entry that a tail cannot be made of': (rule, of) => {
      const { number, slots } = of as LiveEntry;
      if (rule === 'tailAfter' && number % 5 === 3 && !slots[0]?.isAway) throw new TypeError('an entry');
    },
    'a law of a feed that does not hold': (rule) => {
      invariant(rule !== 'nextEntry', 'a law of the feed');
    },
    'a law of a programme that does not hold for an entry': (rule, of) => {
      const { number, slots } = of as LiveEntry;
      invariant(rule !== 'apply' || number % 5 !== 3 || slots[0]?.isAway, 'a law of the programme');
    },
    'a state that cannot be listed': (rule, of) => {
      if (rule === 'list') invariant((of as Shown).length % 5 !== 3, 'a law of the programme');
    },
    'what no reading survives for 10 s': (rule) => {
      if (rule === 'standing' && on.clock.now() < START + 10_000) throw new TypeError('a standing');
    },
  };
  test.each(Object.keys(faulty))(
    'a defect is logged as such, counted and shown, and the channel continues: %s',
    async (kind) => {
      const errors: string[] = [];
      let defects = 0;
      const error = (message: string) => void errors.push(message);
      const countDefects = (_: unknown, count: number) => {
        defects += count;
      };
      const keeper = start({ spoil: faulty[kind]!, error, countDefects });
      Promise.resolve(keeper.use(feed)).catch(() => {});
      await on.clock.advance(12_500);
      await watch(keeper, 20);
      const shown = await keeper.use(feed);
      expect(shown.map(({ number }) => number)).toEqual(shown.map((_, index) => index));
      expect(lagOf(shown)).toBeLessThan(3 * SEGMENT_MS);
      expect([...new Set(errors)]).toEqual(['failed to process a live channel']);
      expect(errors.length).toBeLessThan(3);
      expect(defects).toBeGreaterThan(2);
      expect(keeper.health('life')).toMatchObject({ warnings: [DEFECT] });
      expect(keeper.health('life')?.failure ?? keeper.health('life')?.stall).toBeUndefined();
      expect(on.warnings).toEqual([]);
    },
  );

  test('viewers are shown the last state that can be listed', async () => {
    const facts: Record<string, unknown>[] = [];
    let isFaulty = false;
    const keeper = await warm(10, {
      spoil: (rule) => invariant(rule !== 'list' || !isFaulty, 'a law of the programme'),
      error: (_, more) => void facts.push(more),
    });
    const good = await keeper.use(feed);
    isFaulty = true;
    await watch(keeper, 10);
    expect([await keeper.use(feed), keeper.peek('life')]).toEqual([good, good]);
    expect(facts.map(({ error }) => isInvariantError(error))).toEqual([true]);
    expect(keeper.health('life')).toMatchObject({ warnings: [DEFECT] });
    expect(on.warnings).toEqual([]);
    isFaulty = false;
    await watch(keeper, 3);
    expect((await keeper.use(feed)).length).toBeGreaterThan(good.length + 4);
  });

  test('an entry that cannot be split while the store is unavailable is shown as a whole', async () => {
    const errors: string[] = [];
    const spoil: FeedNodeOptions['spoil'] = (rule) => {
      if (rule === 'split') throw new TypeError('an entry');
    };
    const keeper = await warm(6, { isShared: true, spoil, error: (message) => void errors.push(message) });
    on.store.begin('refused');
    await watch(keeper, 40);
    const shown = await keeper.use(feed);
    expect(lagOf(shown)).toBeLessThan(6 * SEGMENT_MS);
    expect(errors).not.toEqual([]);
  });
});
