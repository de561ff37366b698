// SPDX-License-Identifier: Apache-2.0
// Steps on a virtual clock: what is requested of each source, and when all of it ends.
import { expect, test } from 'vitest';
import { lawSeeds } from '../../../test/lawRuns.ts';
import { createManualClock } from '../../../test/laws/manualClock.ts';
import { seededRandom } from '../../../test/seededRandom.ts';
import type { ResolvedAd, ServerOutcome } from '../../ads/record/breakRecord.ts';
import type { AdSourceRecord } from '../../channels/demand.ts';
import { sleep } from '../../time/clock.ts';
import { millis, secondsToFlicks } from '../../time/units.ts';
import type { InLineAd } from '../../vast/response.ts';
import type { DemandStep, StepsDemand } from './demand.ts';
import { noTraits } from './joinSources.ts';
import { requestSteps, type SourceRequest, type StepsDeps, type StepsRequest } from './requestSteps.ts';

const adBreak = { id: '1-1', startsAt: millis(0), duration: 60, maxAds: 4 };
const session = { id: 's', channelId: 'c', parameters: {}, viewer: { address: '', userAgent: '' } };

const adOf = (id: string, seconds: number, sequence?: number): ResolvedAd => ({
  ad: {
    kind: 'inLine',
    id,
    impressions: [],
    errorUrls: [],
    extensions: [],
    verifications: [],
    categories: [],
    creatives: [
      {
        universalAdIds: [],
        extensions: [],
        linear: { duration: secondsToFlicks(seconds), mediaFiles: [], mezzanines: [] },
      },
    ],
  } as unknown as InLineAd,
  ...(sequence === undefined ? {} : { sequence }),
});

type Answer = {
  readonly afterMs?: number;
  readonly ads?: readonly ResolvedAd[];
  readonly isOver?: boolean;
  readonly waitMs?: number;
  /** By so much, its turn comes later than it may. */
  readonly lateMs?: number;
};

const record = (id: string, type: AdSourceRecord['type'] = 'vast', more: object = {}): AdSourceRecord =>
  ({
    id,
    tenant: 't',
    createdBy: '',
    createdAt: '',
    type,
    url: 'https://ads.test/',
    creatives: [],
    ...more,
  }) as AdSourceRecord;

const stepOf = (ids: readonly string[], more: Omit<DemandStep, 'sources'> = {}): DemandStep => ({
  sources: ids.map((id) => ({
    id,
    record: id === 'gone' ? undefined : record(id, id.startsWith('house') ? 'house' : 'vast'),
  })),
  ...more,
});

function setUp(answers: Readonly<Record<string, Answer>>) {
  const clock = createManualClock(0, () => false);
  const sent: { id: string; seconds: number; maxAds: number | undefined; timeoutMs: number; at: number }[] = [];
  async function answer({
    source,
    adBreak: wanted,
    timeoutMs,
  }: SourceRequest<unknown>): Promise<{ outcome: ServerOutcome }> {
    sent.push({
      id: source.id,
      seconds: wanted.duration,
      maxAds: wanted.maxAds,
      timeoutMs,
      at: clock.timers.elapsed(),
    });
    const { afterMs = 100, ads = [] } = answers[source.id] ?? {};
    await sleep(clock.timers, Math.min(afterMs, timeoutMs));
    const isLate = afterMs > timeoutMs;
    const request = { url: 'https://ads.test/', ms: Math.min(afterMs, timeoutMs) };
    const none = { code: isLate ? 'AD_SERVER_TIMEOUT' : 'NO_ADS', text: 'None.' } as const;
    const outcome = { request, warnings: [], dropped: [], errors: [], ads: isLate ? [] : ads };
    return { outcome: outcome.ads.length > 0 ? outcome : { ...outcome, reason: none } };
  }
  const deps: StepsDeps = {
    now: clock.now,
    timers: clock.timers,
    requestVast: answer,
    requestBids: answer,
    houseAds: (_, { step, id }) => [{ ...adOf(id, 10), offer: { step, source: id, traits: noTraits } }],
    async takeTurn({ id }, mostMs) {
      const { isOver = false, waitMs = 0, lateMs = 0 } = answers[id] ?? {};
      if (isOver || waitMs > mostMs) return { kind: 'over', reason: { code: 'RATE_REACHED', text: 'Over the rate.' } };
      await sleep(clock.timers, waitMs + lateMs);
      return { kind: 'go', waitedMs: waitMs + lateMs };
    },
    afterAnswers: async (_, __, joined) => joined,
  };
  return {
    sent,
    clock,
    run: async (
      steps: readonly DemandStep[],
      { budgetMs = 2000, rules = {}, hooks = {}, ...request }: Partial<StepsRequest> & Partial<StepsDemand> = {},
    ) => {
      const channel = { tracking: 'server', type: 'vod2live' } as const;
      const demand: StepsDemand = { kind: 'steps', steps, budgetMs, rules, hooks, channel };
      const ended = await clock.runUntil(requestSteps({ session, adBreak, ...request }, demand, deps));
      return ended.value!;
    },
  };
}

const idsOf = (ads: readonly ResolvedAd[]) => ads.map(({ ad }) => ad.id);

test('the next step is requested for what is left, and its ads come after those of the first', async () => {
  const { run, sent } = setUp({ a: { ads: [adOf('a1', 15), adOf('a2', 15)] }, b: { ads: [adOf('b1', 30, 1)] } });
  const outcome = await run([stepOf(['a']), stepOf(['b']), stepOf(['c'])]);
  expect(sent.map(({ id, seconds, maxAds }) => [id, seconds, maxAds])).toEqual([
    ['a', 60, 4],
    ['b', 30, 2],
  ]);
  expect(idsOf(outcome.ads)).toEqual(['a1', 'a2', 'b1']);
  expect(outcome.ads.map(({ offer }) => offer?.step)).toEqual([0, 0, 1]);
  expect(outcome.sources).toMatchObject([
    { source: 'a', offered: 2 },
    { source: 'b' },
    { reason: { code: 'BREAK_FULL' } },
  ]);
});

test.each([
  ['nothing', {}, ['a1']],
  ['a cap', { rules: { frequencyCaps: [{ per: 'advertiser', max: 1, hours: 1 } as const] } }, ['a1', 'house']],
  ['a hook', { hooks: { adsUrl: 'https://own.test/' } }, ['a1', 'house']],
])('of a full break, of which %s may refuse an ad later, a house list is spare', async (_, more, expected) => {
  const { run } = setUp({ a: { ads: [adOf('a1', 60)] } });
  const outcome = await run([stepOf(['a']), stepOf(['b', 'house'])], more);
  expect(idsOf(outcome.ads)).toEqual(expected);
  expect(outcome.sources[1]).toMatchObject({ reason: { code: 'BREAK_FULL' } });
});

test('sources of one step are requested at once, and each keeps its pod together', async () => {
  const pod = (name: string) => [adOf(`${name}1`, 5, 1), adOf(`${name}2`, 5, 2)];
  const { run, sent } = setUp({ a: { afterMs: 300, ads: pod('a') }, b: { afterMs: 10, ads: pod('b') } });
  const outcome = await run([stepOf(['a', 'b'])]);
  expect(sent.map(({ at }) => at)).toEqual([0, 0]);
  expect(outcome.ads.map(({ ad, sequence }) => [ad.id, sequence])).toEqual([
    ['a1', 1],
    ['a2', 2],
    ['b1', 3],
    ['b2', 4],
  ]);
});

test('a source that was deleted, or is over its rate, leaves its time to the next step', async () => {
  const { run, sent } = setUp({ a: { isOver: true }, b: { ads: [adOf('b1', 20)] } });
  const { sources, ads } = await run([stepOf(['gone', 'a']), stepOf(['b']), stepOf(['house'])]);
  expect(sources.map(({ source, reason }) => [source, reason?.code])).toEqual([
    ['gone', 'SOURCE_MISSING'],
    ['a', 'RATE_REACHED'],
    ['b', undefined],
    ['house', undefined],
  ]);
  expect(sent[0]?.timeoutMs).toBe(2000);
  expect(idsOf(ads)).toEqual(['b1', 'house']);
});

test('a step may request the whole break, and has its share of the budget', async () => {
  const { run, sent } = setUp({ a: { ads: [adOf('a1', 30)] } });
  await run([stepOf(['a'], { timeShare: 20 }), stepOf(['b'], { request: 'break' })]);
  expect(sent.map(({ seconds, timeoutMs }) => [seconds, timeoutMs])).toEqual([
    [60, 400],
    [60, 1900],
  ]);
});

test('without ads, the reason is that of the first source', async () => {
  const { run } = setUp({ a: { afterMs: 9000 } });
  const { reason } = await run([stepOf(['a']), stepOf(['b'])]);
  expect(reason).toMatchObject({ code: 'AD_SERVER_TIMEOUT' });
});

const LATEST = 500;

test.each(lawSeeds(100))('the whole never takes longer than the budget and the patience (seed %i)', async (seed) => {
  const random = seededRandom(seed);
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  const names = Array.from({ length: 1 + upTo(6) }, (_, index) => (random() < 0.15 ? `house${index}` : `s${index}`));
  const answers = Object.fromEntries(
    names.map((name) => {
      const [afterMs, ads] = [upTo(4000), [adOf(name, upTo(20))]];
      const [waitMs, lateMs] = [random() < 0.3 ? upTo(3000) : 0, random() < 0.2 ? upTo(LATEST) : 0];
      return [name, { afterMs, ads, waitMs, lateMs }];
    }),
  );
  const steps: DemandStep[] = [];
  for (const name of names) {
    const last = steps.at(-1);
    if (last !== undefined && random() < 0.4)
      steps[steps.length - 1] = { ...last, sources: [...last.sources, ...stepOf([name]).sources] };
    else steps.push(stepOf([name], random() < 0.3 ? { timeShare: 1 + upTo(99) } : {}));
  }
  const [budgetMs, patienceMs] = [100 + upTo(4000), upTo(3000)];
  const { run, clock, sent } = setUp(answers);
  const { sources } = await run(steps, { budgetMs, patienceMs });
  expect(clock.timers.elapsed()).toBeLessThanOrEqual(budgetMs + patienceMs + LATEST + 1);
  // A request whose turn comes late is not sent.
  for (const { at, timeoutMs } of sent) {
    expect(timeoutMs).toBeGreaterThan(0);
    expect(at + timeoutMs).toBeLessThanOrEqual(budgetMs + patienceMs + 1);
  }
  expect(sources).toHaveLength(names.length);
});
