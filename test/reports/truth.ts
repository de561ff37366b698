// SPDX-License-Identifier: Apache-2.0
// The expected reports of a time range, computed from the list of events without any code of the product.
import type { Happening } from './dayOfViewing.ts';

type Truth = Record<string, number>;
type Range = { readonly from: number; readonly to: number; readonly channel?: string };
type Event<Type extends string> = Extract<Extract<Happening, { kind: 'event' }>['event'], { type: Type }>;

const REPORT_INTERVAL = 10_000;
const rate = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);

/** Nearest rank. */
function percentiles(values: readonly number[]): Truth {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (percent: number) => sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0;
  return { latencyP50: at(50), latencyP95: at(95), latencyP99: at(99) };
}

/** Milliseconds of the piece that are inside the range. */
const inside = ({ from, to }: Range, { at, ms }: { at: number; ms: number }): number =>
  Math.max(0, Math.min(to, at + ms) - Math.max(from, at));

export function truthOf(day: readonly Happening[], range: Range): Readonly<Record<string, Truth>> {
  const isHere = (at: number) => at >= range.from && at < range.to;
  const isOf = (channel: string) => range.channel === undefined || range.channel === channel;
  const all = <Type extends string>(type: Type) =>
    day.flatMap((one) =>
      one.kind === 'event' && one.event.type === type && isOf(one.event.channel) ? [one.event as Event<Type>] : [],
    );
  const here = <Type extends string>(type: Type) => all(type).filter((event) => isHere((event as { at: number }).at));
  const polls = day.filter((one) => one.kind === 'poll' && isOf(one.channel) && isHere(one.at)) as Extract<
    Happening,
    { kind: 'poll' }
  >[];
  const watchers = new Map<number, Set<string>>();
  for (const { at, session } of polls) {
    const interval = Math.floor(at / REPORT_INTERVAL);
    watchers.set(interval, (watchers.get(interval) ?? new Set()).add(session));
  }
  const watching = [...watchers.values()].map(({ size }) => size);
  const watched = watching.reduce((sum, size) => sum + size, 0);
  const airing = (pieces: readonly { at: number; ms: number }[]) =>
    pieces.reduce((sum, piece) => sum + inside(range, piece), 0) / 1000;
  const breaks = all('breakDecided');
  const filled = airing(breaks.flatMap(({ ads }) => ads));
  const offered = airing(breaks);
  const delivered = airing(all('adDelivered'));
  const requests = here('adRequest');
  const requestsWith = (...outcomes: string[]) => requests.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const progress = (name: string) => here('adProgress').filter(({ event }) => event === name).length;
  const skips = here('adSkipped');
  const skippedFor = (code: string) => skips.filter(({ reason }) => reason === code).length;
  const beacons = (name: string) => here('beacon').filter(({ step }) => step === name).length;
  const creatives = here('creativeConditioned');
  const isOfSource = ({ source }: { readonly source?: string }) => source !== undefined;
  const asked = here('sourceRequested');
  const ofSources = asked.filter(isOfSource);
  const withOutcome = (some: typeof asked, ...outcomes: string[]) =>
    some.filter(({ outcome }) => outcomes.includes(outcome));
  const sentOf = (some: typeof asked) => withOutcome(some, 'answered', 'empty', 'error', 'timeout');
  const seconds = (some: readonly { readonly ms: number }[]) => some.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  const toFill = (some: typeof asked) => seconds(some.map(({ requestedMs: ms }) => ({ ms })));
  const vain = withOutcome(asked, 'empty', 'error', 'timeout');
  const started = here('adProgress').filter(({ event }) => event === 'started');
  const ofEvent = (name: string) => here('adProgress').filter((one) => one.event === name && isOfSource(one)).length;
  const priced = started.filter((one) => isOfSource(one) && one.price !== undefined);
  const paid = (currency: string) =>
    priced.reduce((sum, { price }) => sum + (price?.currency === currency ? price.micros : 0), 0) / 1e9;
  const chosenOfSources = airing(breaks.flatMap(({ ads }) => ads.filter(isOfSource)));
  const skipsOfSources = skips.filter(isOfSource);
  const requestedMs = (one: (typeof breaks)[number]) =>
    'requestedMs' in one.demand ? one.demand.requestedMs : undefined;
  const withRequest = here('breakDecided').flatMap((one) => requestedMs(one) ?? []);
  const unrequested = breaks.filter((one) => requestedMs(one) === undefined);
  return {
    viewers: {
      averageViewers: watched / ((range.to - range.from) / REPORT_INTERVAL),
      peakViewers: Math.max(0, ...watching),
      sessionsStarted: here('sessionOpened').length,
      sessionsEnded: here('sessionEnded').length,
      minutesWatched: watched / 6,
    },
    requests: { hlsManifests: polls.length, dashManifests: 0, errors: 0, ...percentiles(polls.map(({ ms }) => ms)) },
    breaks: {
      offered: here('breakDecided').length,
      secondsOffered: offered,
      secondsFilled: filled,
      secondsDelivered: delivered,
      secondsSlate: airing(breaks.flatMap(({ slate }) => slate)),
      fillRate: rate(filled, offered),
      deliveryRate: rate(delivered, filled),
    },
    'ad-requests': {
      sent: requests.length,
      answered: requestsWith('answered', 'empty'),
      empty: requestsWith('empty'),
      errors: requestsWith('error'),
      timeouts: requestsWith('timeout'),
      ...percentiles(requests.map(({ ms }) => ms)),
    },
    'ad-sources': {
      sent: sentOf(ofSources).length,
      answered: withOutcome(ofSources, 'answered', 'empty').length,
      empty: withOutcome(ofSources, 'empty').length,
      noBids: withOutcome(ofSources, 'empty').filter(({ reason }) => reason === 'NO_BID').length,
      errors: withOutcome(ofSources, 'error').length,
      timeouts: withOutcome(ofSources, 'timeout').length,
      notSent: withOutcome(ofSources, 'notSent').length,
      rateReached: withOutcome(ofSources, 'notSent').filter(({ reason }) => reason === 'RATE_REACHED').length,
      ...percentiles(ofSources.map(({ latencyMs = 0 }) => latencyMs)),
      secondsRequested: toFill(ofSources),
      offered: here('adDecided').filter(isOfSource).length + skipsOfSources.length,
      chosen: here('adDecided').filter(isOfSource).length,
      secondsChosen: chosenOfSources,
      fillRate: rate(chosenOfSources, toFill(ofSources)),
      started: ofEvent('started'),
      completed: ofEvent('completed'),
      secondsDelivered: airing(all('adDelivered').filter(isOfSource)),
      priced: priced.length,
      ...(paid('EUR') > 0 ? { revenueEUR: paid('EUR') } : {}),
      ...(paid('USD') > 0 ? { revenueUSD: paid('USD') } : {}),
      BREAK_FULL: skipsOfSources.filter(({ reason }) => reason === 'BREAK_FULL').length,
    },
    'demand-funnel': {
      opportunities: here('breakDecided').length,
      secondsAvailable: offered,
      requested: withRequest.length,
      secondsRequested: seconds(withRequest.map((ms) => ({ ms }))),
      breaksNotRequested: here('breakDecided').length - withRequest.length,
      secondsNotRequested: airing(unrequested),
      requests: sentOf(asked).length,
      requestsNotSent: withOutcome(asked, 'notSent').length,
      requestsWithoutAds: vain.length,
      secondsWithoutAds: toFill(vain),
      offered: here('adDecided').length + skips.length,
      secondsOffered: filled + seconds(skips),
      adsNotChosen: skips.length,
      secondsNotChosen: seconds(skips),
      chosen: here('adDecided').length,
      secondsChosen: filled,
      started: started.length,
      adsNotStarted: Math.max(0, here('adDecided').length - started.length),
      secondsDelivered: delivered,
      secondsNotDelivered: Math.max(0, filled - delivered),
      completed: progress('completed'),
      adsNotCompleted: Math.max(0, started.length - progress('completed')),
      fillRate: rate(filled, offered),
      deliveryRate: rate(delivered, filled),
    },
    ads: {
      decided: here('adDecided').length,
      started: progress('started'),
      firstQuartile: progress('firstQuartile'),
      midpoint: progress('midpoint'),
      thirdQuartile: progress('thirdQuartile'),
      completed: progress('completed'),
      completionRate: rate(progress('completed'), progress('started')),
    },
    skips: {
      total: skips.length,
      BREAK_FULL: skippedFor('BREAK_FULL'),
      CREATIVE_PREPARING: skippedFor('CREATIVE_PREPARING'),
      WRAPPER_TIMEOUT: skippedFor('WRAPPER_TIMEOUT'),
      NOT_LINEAR: 0,
    },
    beacons: {
      sent: beacons('sent'),
      retried: beacons('retried'),
      recovered: beacons('recovered'),
      failed: beacons('failed'),
    },
    creatives: {
      conditioned: creatives.filter(({ isMade }) => isMade).length,
      failed: creatives.filter(({ isMade }) => !isMade).length,
      waiting: 0,
      secondsTaken: creatives.reduce((sum, { ms }) => sum + ms, 0) / 1000,
    },
  };
}
