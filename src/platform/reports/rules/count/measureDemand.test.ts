// SPDX-License-Identifier: Apache-2.0
// What a recorded break adds to the reports of demand.

import { expect, test } from 'vitest';
import { lawSeeds } from '../../../../../test/lawRuns.ts';
import { seededRandom } from '../../../../../test/seededRandom.ts';
import type { AdRecord, AskedSource, BreakRecord } from '../../../../ads/record/breakRecord.ts';
import type { RecordedBreak } from '../../../../playback/decide/decisionRecorder.ts';
import type { EndedBreak } from '../../../../playback/viewers/settledDecisions.ts';
import { flicks, millis } from '../../../../time/units.ts';
import { skipReasons } from '../catalogue.ts';
import { breakEndedEvents, breakEvents } from './breakEvents.ts';
import { measure } from './measure.ts';

const FRAMES = 25;
const airing = { channel: { id: 'c', tenant: 't' }, ladder: { frameRate: { n: FRAMES, d: 1 } } };
const start = { millis: millis(60_000), rest: flicks(0) };

const source = (id: string, more: object): AskedSource =>
  ({ step: 0, source: id, type: 'vast', offered: 0, ...more }) as AskedSource;
const because = (code: string) => ({ reason: { code, text: '' } });
const sent = (duration: number, ms: number, error?: string) => ({
  asked: { duration },
  request: { url: '', ms, ...(error ? { error } : {}) },
});
const ad = (from: string | undefined, duration: number, code?: string): AdRecord => ({
  adId: '',
  duration,
  ...(code === undefined ? { outcome: 'stitched' } : { outcome: 'skipped', ...because(code) }),
  ...(from === undefined
    ? {}
    : { offer: { step: 0, source: from, traits: { advertisers: [], categories: [], creatives: [] } } }),
});

/** @param frames of the break; on demand, it is as long as its ads */
function recorded(record: Partial<BreakRecord>, frames?: number): RecordedBreak {
  const ads = (record.ads ?? [])
    .filter(({ outcome }) => outcome === 'stitched')
    .map(({ duration }) => ({ adId: '', mediaId: '', frames: Math.round(duration * FRAMES) }));
  const place = { start, ...(frames === undefined ? {} : { frames }) };
  return { airing, place, decision: { joined: 0, ads }, record: { ads: [], ...record } } as unknown as RecordedBreak;
}

type Sums = Record<string, number>;
/** The sums of a report. @param key the source or the reason that is selected; by default, everything */
function sumsOf(events: ReturnType<typeof breakEvents>, report: string, key?: string): Sums {
  const sums: Sums = {};
  for (const one of events.flatMap(measure)) {
    if (one.report !== report || (key !== undefined && !Object.values(one.keys).includes(key))) continue;
    for (const [name, amount] of Object.entries(one.amounts)) sums[name] = (sums[name] ?? 0) + amount;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0));
}

const steps: Partial<BreakRecord> = {
  limits: { duration: 60 },
  sources: [
    source('partner', { ...sent(60, 80), offered: 3 }),
    source('slow', { ...sent(60, 900, 'timed out'), ...because('AD_SERVER_TIMEOUT') }),
    source('broken', { ...sent(60, 5, 'refused'), ...because('AD_SERVER_FAILED') }),
    source('exchange', { ...sent(40, 60), type: 'openrtb', reason: { code: 'NO_BID', text: '', nbr: 8 } }),
    source('network', { ...sent(40, 60), type: 'openrtb', reason: { code: 'NO_BID', text: '', nbr: 501 } }),
    source('limited', because('RATE_REACHED')),
    source('late', because('NO_TIME_LEFT')),
    source('refused', { ...sent(60, 0), ...because('HOOK_SKIPPED') }),
    source('house', { asked: { duration: 40 }, type: 'house', offered: 1 }),
    source('last', because('BREAK_FULL')),
  ],
  ads: [ad('partner', 20), ad('house', 30), ad('partner', 30, 'BREAK_FULL'), ad('partner', 15, 'CREATIVE_PREPARING')],
};

test('each source counts its requests by outcome, and its ads by reason', () => {
  const events = breakEvents(recorded(steps, 60 * FRAMES));
  const of = (id: string) => sumsOf(events, 'ad-sources', id);
  expect(of('partner')).toEqual({
    sent: 1,
    answered: 1,
    requestedMs: 60_000,
    offered: 3,
    chosen: 1,
    chosenMs: 20_000,
    BREAK_FULL: 1,
    CREATIVE_PREPARING: 1,
  });
  expect(of('house')).toMatchObject({ sent: 1, answered: 1, requestedMs: 40_000, offered: 1, chosenMs: 30_000 });
  expect(of('slow')).toEqual({ sent: 1, timeouts: 1, requestedMs: 60_000 });
  expect(of('broken')).toEqual({ sent: 1, errors: 1, requestedMs: 60_000 });
  expect(of('exchange')).toEqual({ sent: 1, answered: 1, empty: 1, noBids: 1, requestedMs: 40_000 });
  expect(of('limited')).toEqual({ notSent: 1, rateReached: 1 });
  expect(of('late')).toEqual({ notSent: 1, budgetSpent: 1 });
  expect(of('refused')).toEqual({ notSent: 1, hookSkipped: 1 });
  expect(of('last')).toEqual({ notSent: 1, breakFull: 1 });
  const measured = events.flatMap(measure).filter(({ report }) => report === 'ad-sources');
  const latencies = measured.filter(({ bins }) => bins !== undefined).map(({ keys }) => keys.source);
  expect(latencies).toEqual(['partner', 'slow', 'broken', 'exchange', 'network']);
});

test('the funnel counts a break from its opportunity to its chosen ads, with the losses by reason', () => {
  const events = breakEvents(recorded(steps, 60 * FRAMES));
  expect(sumsOf(events, 'demand-funnel')).toEqual({
    opportunities: 1,
    availableMs: 60_000,
    requested: 1,
    requestedMs: 60_000,
    requests: 6,
    requestsNotSent: 4,
    requestsWithoutAds: 4,
    withoutAdsMs: 200_000,
    offered: 4,
    offeredMs: 95_000,
    adsNotChosen: 2,
    notChosenMs: 45_000,
    chosen: 2,
    chosenMs: 50_000,
  });
  const by = (reason: string) => sumsOf(events, 'demand-funnel', reason);
  for (const code of ['NO_BID_8', 'NO_BID_OTHER'])
    expect(by(code)).toEqual({ requestsWithoutAds: 1, withoutAdsMs: 40_000 });
  expect(by('RATE_REACHED')).toEqual({ requestsNotSent: 1 });
  expect(by('BREAK_FULL')).toEqual({ requestsNotSent: 1, adsNotChosen: 1, notChosenMs: 30_000 });
});

test('a break with one ad server counts in the funnel, and under no source', () => {
  const request = { url: '', ms: 10 };
  const limits = { duration: 30 };
  const filled = breakEvents(recorded({ request, limits, ads: [ad(undefined, 30)] }, 30 * FRAMES));
  expect(sumsOf(filled, 'demand-funnel')).toMatchObject({ requested: 1, requests: 1, chosen: 1, chosenMs: 30_000 });
  expect(sumsOf(filled, 'ad-sources')).toEqual({});
  const resting = breakEvents(recorded({ request, limits, ...because('AD_SERVER_NOT_ASKED') }, 30 * FRAMES));
  expect(sumsOf(resting, 'demand-funnel', 'AD_SERVER_NOT_ASKED')).toEqual({
    breaksNotRequested: 1,
    notRequestedMs: 30_000,
    requestsNotSent: 1,
  });
});

test('the opportunity of a break on demand is what its ads were to fill', () => {
  const request = { url: '', ms: 10 };
  const limits = { duration: 60 };
  const events = breakEvents(recorded({ request, limits, ads: [ad(undefined, 20)] }));
  expect(sumsOf(events, 'demand-funnel')).toMatchObject({ availableMs: 60_000, requestedMs: 60_000, chosenMs: 20_000 });
});

test('a live break that ended early loses the seconds of its ads that were not shown', () => {
  const live = recorded(steps, 60 * FRAMES);
  const shown = { rate: { n: FRAMES, d: 1 }, frames: 30 * FRAMES, ads: [20 * FRAMES, 10 * FRAMES], bumpers: 0 };
  const events = [...breakEvents(live), ...breakEndedEvents({ ...live, shown } as unknown as EndedBreak)];
  const sums = sumsOf(events, 'demand-funnel');
  expect(sums).toMatchObject({ availableMs: 30_000, offeredMs: 95_000, chosenMs: 30_000, notChosenMs: 65_000 });
  expect(sumsOf(events, 'demand-funnel', 'EARLY_RETURN')).toEqual({ notChosenMs: 20_000 });
  expect(sumsOf(events, 'ad-sources', 'house')).toMatchObject({ chosenMs: 10_000 });
});

test.each(lawSeeds(20))('every opportunity, request and ad counts once, for one reason (seed %i)', (seed) => {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
  const ids = ['one', 'two', 'three'];
  const codes = [
    'NO_ADS',
    'NO_BID',
    'AD_SERVER_TIMEOUT',
    'VAST_UNREADABLE',
    'RATE_REACHED',
    'AD_SERVER_NOT_ASKED',
    'X',
  ];
  const events = Array.from({ length: 30 }, () => {
    const sources = ids
      .slice(below(3))
      .map((id) => source(id, { ...(random() < 0.7 ? sent(30, 5) : {}), ...because(pick(codes)) }));
    const ads = Array.from({ length: below(6) }, () =>
      ad(pick(ids), 1 + below(20), random() < 0.5 ? pick(Object.keys(skipReasons)) : undefined),
    );
    return breakEvents(recorded({ sources, ads, ...because('NO_ADS') }, below(2000)));
  }).flat();
  const funnel = sumsOf(events, 'demand-funnel');
  const of = (name: string) => funnel[name] ?? 0;
  expect(of('opportunities')).toBe(of('requested') + of('breaksNotRequested'));
  expect(of('offered')).toBe(of('chosen') + of('adsNotChosen'));
  expect(of('offeredMs')).toBe(of('chosenMs') + of('notChosenMs'));
  const total = sumsOf(events, 'ad-sources');
  const all = (names: readonly string[], from = total) => names.reduce((sum, name) => sum + (from[name] ?? 0), 0);
  expect(all(['answered', 'errors', 'timeouts'])).toBe(all(['sent']));
  expect([all(['sent']), all(['requestedMs'])]).toEqual([of('requests'), 30_000 * of('requests')]);
  expect(all(['notSent'])).toBe(of('requestsNotSent'));
  expect(all(['chosen', ...Object.keys(skipReasons)])).toBe(all(['offered']));
  expect([all(['offered']), all(['chosenMs'])]).toEqual([of('offered'), of('chosenMs')]);
  const bySource = ids.map((id) => sumsOf(events, 'ad-sources', id));
  for (const name of Object.keys(total))
    expect(bySource.reduce((sum, one) => sum + (one[name] ?? 0), 0)).toBe(total[name]);
});
