// SPDX-License-Identifier: Apache-2.0
// Alternatives in ad responses: one is shown, and the next only if those before it cannot be.
import { describe, expect, it } from 'vitest';
import { readyCandidate } from '../../../test/ads/podCandidates.ts';
import { errorsOf, idsOf, inLine, useTestAdServer, vast } from '../../../test/testAdServer.ts';
import { fitPod, type PodCandidate } from '../../ads/pod/fitPod.ts';
import type { BreakOutcome } from '../../ads/record/breakRecord.ts';
import { awaitCreatives, choosePod } from '../decide/choosePod.ts';
import { joinBreaks } from './requestPresentation.ts';

const { request, requestPresentation, serve, wrapper } = useTestAdServer();

const fallback = (index: number, ad: string) =>
  ad.replace(
    /(?=<\/(InLine|Wrapper)>)/,
    `<Extensions><Extension type="waterfall" fallback_index="${index}"/></Extensions>`,
  );
const pod = (sequence: number, ...ids: string[]) => ids.map((id) => inLine(id, { sequence }));

/** What is not ready, by the id of the ad. */
type States = Readonly<Record<string, 'preparing' | 'long'>>;

function candidatesOf({ ads }: BreakOutcome, states: States): PodCandidate[] {
  return ads.map(({ ad, sequence, fallback: path }) => {
    const id = ad.id ?? '';
    const ready = readyCandidate(id, states[id] === 'long' ? 5000 : 100);
    return {
      ...ready,
      ...(sequence === undefined ? {} : { sequence }),
      ...(path === undefined ? {} : { fallback: path }),
      ...(states[id] === 'preparing' ? { creative: { state: 'preparing' } as const } : {}),
    };
  });
}

/** `a`: shown; `a CODE`: skipped. */
function fitted(outcome: BreakOutcome, states: States = {}, more: { isInserted?: boolean } = {}) {
  const candidates = candidatesOf(outcome, states);
  const result = fitPod({ breakFrames: 1000, rate: { n: 25, d: 1 }, candidates, ...more });
  const names = result.outcomes.map((one, index) => {
    const id = outcome.ads[index]!.ad.id;
    return one.outcome === 'skipped' ? `${id} ${one.code}` : id;
  });
  return { ...result, names };
}
const shownOf = (outcome: BreakOutcome, states: States = {}) =>
  fitted(outcome, states).ads.map(({ candidate }) => outcome.ads[candidate]!.ad.id);

describe('alternatives', () => {
  it.each<[string, () => string[], States, string[], string[]?]>([
    ['of one sequence', () => pod(1, 'a', 'b'), {}, ['a'], ['a', 'b FALLBACK_NOT_NEEDED']],
    ['whose first is not ready', () => pod(1, 'a', 'b'), { a: 'preparing' }, ['b'], ['a CREATIVE_PREPARING', 'b']],
    ['whose first is too long', () => pod(1, 'a', 'b', 'c'), { a: 'long' }, ['b']],
    ['of each position of a pod', () => [...pod(2, 'c', 'd'), ...pod(1, 'a', 'b')], { c: 'preparing' }, ['a', 'd']],
    ['by their index', () => [fallback(0, inLine('a')), fallback(1, inLine('b'))], {}, ['a']],
    ['in the order of their index', () => [fallback(2, inLine('b')), fallback(0, inLine('a'))], {}, ['a']],
    [
      'in the order of their index, of one sequence',
      () => [fallback(1, inLine('b', { sequence: 1 })), fallback(0, inLine('a', { sequence: 1 }))],
      {},
      ['a'],
    ],
    ['of two waterfalls', () => [0, 1, 0, 1].map((index, at) => fallback(index, inLine('abcd'[at]!))), {}, ['a', 'c']],
    ['that are each the first', () => ['a', 'b', 'c'].map((id) => fallback(0, inLine(id))), {}, ['a', 'b', 'c']],
    ['next to stand-alone ads', () => [...pod(1, 'a', 'b'), inLine('c'), inLine('d')], {}, ['a', 'c', 'd']],
    ['none: a pod', () => [...pod(1, 'a'), ...pod(2, 'b')], {}, ['a', 'b']],
    ['none: stand-alone ads', () => [inLine('a'), inLine('b')], {}, ['a', 'b']],
  ])('%s', async (_, ads, states, shown, names) => {
    serve('/vast', vast(...ads()));
    const outcome = await request('/vast');
    expect(shownOf(outcome, states)).toEqual(shown);
    if (names) expect(fitted(outcome, states).names).toEqual(names);
  });

  it('count as one position, and those that are not needed do not make a break partial', async () => {
    serve('/vast', vast(...pod(4, 'a', 'b'), ...pod(7, 'c')));
    const outcome = await request('/vast');
    expect(idsOf(outcome)).toEqual(['1:a', '1:b', '2:c']);
    expect(fitted(outcome, {}, { isInserted: true }).reason).toBeUndefined();
  });

  it('keep their order for an ad that the viewer saw lately', async () => {
    serve('/vast', vast(...pod(1, 'a', 'b'), inLine('c')));
    const outcome = await request('/vast');
    const seen = {
      candidates: candidatesOf(outcome, {}),
      seenSince: (id: string) => (id === 'media-a' ? 0 : undefined),
    };
    const { ads } = fitPod({ breakFrames: 1000, rate: { n: 25, d: 1 }, ...seen });
    expect(ads.map(({ candidate }) => outcome.ads[candidate]!.ad.id)).toEqual(['a', 'c']);
  });
});

describe('alternatives behind wrappers', () => {
  const both = (more = {}, sequence?: number) =>
    vast(fallback(0, wrapper('v', '/first', more, sequence)), fallback(1, wrapper('w', '/second', more, sequence)));

  it('have the impressions of the one that is shown', async () => {
    serve('/vast', both());
    serve('/first', vast(inLine('a')));
    serve('/second', vast(inLine('b')));
    const outcome = await request('/vast');
    expect(shownOf(outcome)).toEqual(['a']);
    const { candidate } = fitted(outcome, { a: 'preparing' }).ads[0]!;
    const { impressions } = outcome.ads[candidate]!.ad;
    expect(impressions.map(({ url }) => url.slice(-1))).toEqual(['w', 'b']);
  });

  it('may lead to several ads, and to alternatives of their own', async () => {
    const many = { allowMultipleAds: true };
    serve('/vast', both(many, 1));
    serve('/first', vast(...pod(1, 'a', 'b'), ...pod(2, 'c')));
    serve('/second', vast(inLine('d')));
    const outcome = await request('/vast');
    expect(shownOf(outcome)).toEqual(['a', 'c']);
    expect(shownOf(outcome, { a: 'preparing' })).toEqual(['b', 'c']);
    expect(shownOf(outcome, { a: 'preparing', b: 'preparing', c: 'long' })).toEqual(['d']);
  });

  it('are all allowed by a wrapper that allows one ad', async () => {
    serve('/vast', vast(wrapper('v', '/first')));
    serve('/first', vast(fallback(0, inLine('a')), fallback(1, inLine('b')), inLine('c')));
    const outcome = await request('/vast');
    expect(shownOf(outcome, { a: 'preparing' })).toEqual(['b']);
    expect(outcome.dropped.map(({ id, skip }) => `${id} ${skip.code}`)).toEqual(['c WRAPPER_FORBIDS']);
  });

  it.each([
    [undefined, ['b']],
    [true, ['b']],
    [false, []],
  ])('with fallbackOnNoAd %s replace one that leads to no ad: %s', async (fallbackOnNoAd, shown) => {
    for (const sequence of [1, undefined]) {
      serve('/vast', both(fallbackOnNoAd === undefined ? {} : { fallbackOnNoAd }, sequence));
      serve('/first', vast());
      serve('/second', vast(inLine('b')));
      const outcome = await request('/vast');
      expect(shownOf(outcome)).toEqual(shown);
      expect(errorsOf(outcome)).toEqual(['v 303']);
    }
  });

  it('have no Error URL called if an earlier one is shown', async () => {
    serve('/vast', both());
    serve('/first', vast(inLine('a')));
    serve('/second', vast());
    const outcome = await request('/vast');
    expect(errorsOf(outcome)).toEqual(['w 303']);
    const channel = { channel: { tenant: 't', id: 'c' }, ladder: { frameRate: { n: 25, d: 1 } } };
    const errors = (states: States) =>
      choosePod(
        channel as never,
        { breakFrames: 1000 },
        { outcome, bumpers: {}, seen: '' },
        candidatesOf(outcome, states).map((one, index) => ({
          ad: outcome.ads[index]!.ad,
          duration: 1,
          settled: Promise.resolve(),
          candidate: () => one,
          conditionCopy: () => {},
        })),
      ).errors.map(({ url, code }) => `${/error\/(\w+)/.exec(url)?.[1]} ${code}`);
    expect(errors({})).toEqual([]);
    expect(errors({ a: 'preparing' })).toEqual(['w 303', 'v 407', 'a 407']);
  });

  it('of several VMAP breaks are apart', async () => {
    const inside = (ads: string[]) =>
      `<AdBreak timeOffset="start" breakType="linear"><AdSource allowMultipleAds="true"><VASTAdData>${vast(...ads)}</VASTAdData></AdSource></AdBreak>`;
    serve('/vmap', `<VMAP version="1.0">${inside(pod(1, 'a', 'b'))}${inside(pod(1, 'c', 'd'))}</VMAP>`);
    const merged = await request('/vmap');
    const { breaks } = await requestPresentation('/vmap');
    for (const outcome of [merged, joinBreaks(breaks!.map((one) => one.outcome))]) {
      expect(idsOf(outcome)).toEqual(['1:a', '1:b', '2:c', '2:d']);
      expect(shownOf(outcome, { a: 'preparing' })).toEqual(['b', 'c']);
    }
  });

  it('are not waited for if an earlier one is ready', async () => {
    serve('/vast', vast(...pod(1, 'a', 'b')));
    const outcome = await request('/vast');
    const never = new Promise<never>(() => {});
    const library = {
      prepare: (key: string) => (key.includes('/a.') ? readyCandidate('a', 100).creative : { state: 'preparing' }),
      settled: (key: string) => (key.includes('/a.') ? Promise.resolve(readyCandidate('a', 100).creative) : never),
    };
    const waits: string[] = [];
    const after = (_: number, run: () => void) => {
      setImmediate(run);
      return { cancel: () => {} };
    };
    const timers = { elapsed: () => 0, after };
    const ladder = { frameRate: { n: 25, d: 1 }, rungs: [] };
    await awaitCreatives(
      { channel: { tenant: 't', id: 'c' }, ladder } as never,
      { outcome, closeAt: 1000 as never, onWait: async () => void waits.push('') },
      { library, now: () => 0, timers } as never,
    );
    expect(waits).toEqual([]);
  });
});
