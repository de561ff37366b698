// SPDX-License-Identifier: Apache-2.0
// What events add to the reports of demand: `ad-sources` and `demand-funnel` (demandReports.ts).

import type { Price } from '../../../../ads/record/offer.ts';
import { withoutUndefined } from '../../../../invariant.ts';
import { reportIntervalOf } from '../../../../time/reportInterval.ts';
import { binOf } from '../bins.ts';
import { notSentFields } from '../demandReports.ts';
import type { AiredBreak, AiredRange, FromSource, ReportEvent } from '../event.ts';
import type { Measurement } from '../ports.ts';
import type { SourceRequest } from './sourceRequests.ts';
import { splitByInterval } from './splitByInterval.ts';

type Amounts = Measurement['amounts'];
type More = Partial<Pick<Measurement, 'at' | 'bins'>>;
/** The dimensions of a measurement, besides its channel. */
type Of = FromSource & { readonly reason?: string };

/** The reason of seconds that a break did not show because it ended early (cutRecord). */
const EARLY_RETURN = 'EARLY_RETURN';

export function measureDemand(event: ReportEvent): Measurement[] {
  if (event.type === 'stored') return [];
  const add = (report: Measurement['report'], keys: Measurement['keys'], amounts: Amounts, more: More) => {
    return { report, channel: event.channel, at: reportIntervalOf(event.at), keys, amounts, ...more };
  };
  const inFunnel = ({ source, reason }: Of, amounts: Amounts, more: More = {}): Measurement[] => [
    add('demand-funnel', withoutUndefined({ source, reason }), amounts, more),
  ];
  const ofSource = ({ source }: Of, amounts: Amounts, more: More = {}): Measurement[] =>
    source === undefined ? [] : [add('ad-sources', { source }, amounts, more)];
  const inBoth = (of: Of, amounts: Amounts, more: More = {}) => [
    ...inFunnel(of, amounts, more),
    ...ofSource(of, amounts, more),
  ];
  const spread = ({ at, ms }: AiredRange, count: (ms: number, more: More) => Measurement[]) =>
    [...splitByInterval({ at, ms })].flatMap((part) => count(part.ms, { at: part.at }));
  const timeOf = (aired: AiredBreak, times: 1 | -1): Measurement[] => {
    const { demand } = aired;
    return [
      ...spread(aired, (ms, more) => inFunnel({}, { availableMs: times * ms }, more)),
      ...aired.ads.flatMap((ad) => spread(ad, (ms, more) => inBoth(ad, { chosenMs: times * ms }, more))),
      ...('notRequested' in demand
        ? spread(aired, (ms, more) => inFunnel({ reason: demand.notRequested }, { notRequestedMs: times * ms }, more))
        : []),
    ];
  };

  switch (event.type) {
    case 'breakDecided':
      return [
        ...inFunnel({}, { opportunities: 1 }),
        ...breakCounts(event).flatMap(({ of, amounts }) => inFunnel(of, amounts)),
        ...timeOf(event, 1),
        ...event.ads.flatMap((ad) => spread(ad, (ms, more) => inFunnel(ad, { offeredMs: ms }, more))),
      ];
    case 'breakEnded':
      return [
        ...timeOf(event, event.times),
        ...event.ads.flatMap(({ source, ...ad }) => {
          const of = { reason: EARLY_RETURN, ...withoutUndefined({ source }) };
          return spread(ad, (ms, more) => inFunnel(of, { notChosenMs: -event.times * ms }, more));
        }),
      ];
    case 'sourceRequested': {
      const bins = event.latencyMs === undefined ? {} : { bins: { [binOf(event.latencyMs)]: 1 } };
      return [
        ...requestCounts(event).flatMap(({ of, amounts }) => inFunnel(of, amounts)),
        ...ofSource(event, sourceAmounts(event), bins),
      ];
    }
    case 'adDecided':
      return inBoth(event, { offered: 1, chosen: 1 });
    case 'adSkipped': {
      const { source, reason, ms } = event;
      const of = withoutUndefined({ source });
      return [
        ...inFunnel(of, { offered: 1, offeredMs: ms }),
        ...inFunnel({ ...of, reason }, { adsNotChosen: 1, notChosenMs: ms }),
        ...ofSource(of, { offered: 1, [reason]: 1 }),
      ];
    }
    case 'adDelivered':
      return spread(event, (ms, more) => inBoth(event, { deliveredMs: event.times * ms }, more));
    case 'adProgress': {
      const { times, price } = event;
      if (event.event === 'completed') return inBoth(event, { completed: times });
      if (event.event !== 'started') return [];
      return [
        ...inFunnel(event, { started: times }),
        ...ofSource(event, { started: times, ...(price ? revenueOf(price, times) : {}) }),
      ];
    }
    default:
      return [];
  }
}

type Counted = readonly { readonly of: Of; readonly amounts: Amounts }[];

function breakCounts({ demand, ms }: AiredBreak): Counted {
  if ('notRequested' in demand) return [{ of: { reason: demand.notRequested }, amounts: { breaksNotRequested: 1 } }];
  const { requestedMs } = demand;
  // A break on demand is as long as its ads; its opportunity is what they were to fill.
  return [{ of: {}, amounts: { requested: 1, requestedMs, availableMs: Math.max(0, requestedMs - ms) } }];
}

function requestCounts({ source, outcome, reason, requestedMs }: SourceRequest): Counted {
  const of = withoutUndefined({ source });
  if (outcome === 'notSent')
    return [{ of: { ...of, reason: reason ?? 'NOT_REQUESTED' }, amounts: { requestsNotSent: 1 } }];
  const sent = { of, amounts: { requests: 1 } };
  if (outcome === 'answered') return [sent];
  const amounts = { requestsWithoutAds: 1, withoutAdsMs: requestedMs };
  return [sent, { of: { ...of, reason: reason ?? 'NO_ADS' }, amounts }];
}

function sourceAmounts({ outcome, reason = '', requestedMs }: SourceRequest): Amounts {
  switch (outcome) {
    case 'answered':
      return { sent: 1, requestedMs, answered: 1 };
    case 'empty':
      return { sent: 1, requestedMs, answered: 1, empty: 1, ...(reason.startsWith('NO_BID') ? { noBids: 1 } : {}) };
    case 'error':
      return { sent: 1, requestedMs, errors: 1 };
    case 'timeout':
      return { sent: 1, requestedMs, timeouts: 1 };
    case 'notSent': {
      const field = notSentFields.get(reason);
      return { notSent: 1, ...(field && { [field.name]: 1 }) };
    }
  }
}

/** Ad servers can invent currencies, so others than those of ISO 4217 count as unknown prices. */
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const revenueOf = ({ micros, currency }: Price, times: number): Amounts =>
  currencies.has(currency) ? { priced: times, [`revenue${currency}`]: micros * times } : {};
