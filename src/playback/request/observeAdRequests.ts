// SPDX-License-Identifier: Apache-2.0
// Observes the requests to ad servers: the first request of a break, and those for wrappers.
import type { AdRequestOutcome } from '../../ads/record/breakRecord.ts';
import type { AdServer, AdServerResponse, ExchangeError } from '../../ads/request/ports.ts';
import { isPreview } from '../../ads/request/preview.ts';
import type { Millis } from '../../time/units.ts';
import type { AdRequestContext } from './requestAds.ts';

type Outcome = 'answered' | 'empty' | 'error' | 'timeout';

/** A request that was sent to an ad server, including those for wrappers. */
export type SentAdRequest = {
  readonly at: Millis;
  readonly channel: string;
  readonly tenant: string;
  /** Host and port. */
  readonly adServer: string;
  /** `empty`: a valid response without an ad; `error`: any failure other than a timeout. */
  readonly outcome: Outcome;
  /** The response could not be read. */
  readonly isInvalid?: true;
  readonly ms: number;
};

/** Why an ad server gave no usable response. `invalid`: its response could not be read. */
export type AdServerFailure = {
  readonly error: Exclude<ExchangeError, 'busy' | 'cancelled' | 'notStored'> | 'invalid';
  /** With `httpStatus`. */
  readonly status?: number;
};

/** Evidence of whether an ad server works for a channel. Also of requests that were not sent because it does not. */
export type AdServerSign = Pick<SentAdRequest, 'at' | 'channel' | 'tenant' | 'adServer'> & {
  /** The channel's ad source, or a server that a wrapper names. */
  readonly asked: 'source' | 'wrapper';
  /** Absent if it works. */
  readonly failure?: AdServerFailure;
};

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '(no URL)');

/** @returns undefined if nothing was sent */
function outcomeOf(response: AdServerResponse): Outcome | undefined {
  if (response.ok) return 'answered';
  switch (response.error) {
    case 'timeout':
      return 'timeout';
    case 'busy':
    case 'resting':
    case 'badUrl':
    case 'egress':
      return undefined;
    default:
      return 'error';
  }
}

/** A response that arrived in time counts as empty or as an error depending on its content. */
function refine(outcome: Outcome, reason: AdRequestOutcome['reason']): Outcome {
  if (outcome !== 'answered') return outcome;
  if (reason?.code === 'NO_ADS' || reason?.code === 'NO_BID') return 'empty';
  return isUnreadable(reason) ? 'error' : 'answered';
}

const isUnreadable = (reason: AdRequestOutcome['reason']): boolean =>
  reason?.code === 'VAST_UNREADABLE' || reason?.code === 'BIDS_UNREADABLE';

/** Less time, as the last wrapper of a slow response has, is no evidence. */
const FAIR_TIMEOUT_MS = 500;

/** @returns null if it works, undefined if the exchange is no evidence */
function failureOf(
  response: AdServerResponse,
  asked: AdServerSign['asked'],
  timeoutMs: number,
): AdServerFailure | null | undefined {
  if (response.ok) return null;
  const { error, status } = response;
  if (error === 'busy' || error === 'cancelled' || error === 'notStored') return undefined;
  if (error === 'timeout' && asked === 'wrapper' && timeoutMs < FAIR_TIMEOUT_MS) return undefined;
  return status === undefined ? { error } : { error, status };
}

type AdRequestObserver = {
  readonly sent: (request: SentAdRequest) => void;
  readonly sign: (sign: AdServerSign) => void;
};

/**
 * Wraps `requestAds` or `requestPresentation`: reports every request to an ad server once the outcome for the break is known,
 * except for previews.
 */
export const observeAdRequests =
  <Context extends Pick<AdRequestContext, 'session'>, Result extends Pick<AdRequestOutcome, 'reason'>>(
    request: (context: Context, adServer: AdServer) => Promise<Result>,
    adServer: AdServer,
    observer: AdRequestObserver,
    now: () => Millis,
  ) =>
  async (context: Context): Promise<Result> => {
    const { channelId: channel, tenant } = context.session;
    if (tenant === undefined || isPreview(context.session)) return request(context, adServer);
    const exchanges: {
      readonly adServer: string;
      readonly at: Millis;
      readonly asked: AdServerSign['asked'];
      readonly response: AdServerResponse;
      readonly timeoutMs: number;
    }[] = [];
    let isFirst = true;
    const observed: AdServer = {
      async send(request, limits) {
        const asked = isFirst ? 'source' : 'wrapper';
        isFirst = false;
        const response = await adServer.send(request, limits);
        exchanges.push({ adServer: hostOf(request.url), at: now(), asked, response, timeoutMs: limits.timeoutMs });
        return response;
      },
    };
    const result = await request(context, observed);
    for (const { asked, response, timeoutMs, ...exchange } of exchanges) {
      const of = { ...exchange, channel, tenant };
      const isInvalid = asked === 'source' && response.ok && isUnreadable(result.reason);
      const failure = isInvalid ? { error: 'invalid' as const } : failureOf(response, asked, timeoutMs);
      if (failure !== undefined) observer.sign({ ...of, asked, ...(failure === null ? {} : { failure }) });
      const outcome = outcomeOf(response);
      if (outcome === undefined) continue;
      const refined = asked === 'source' ? refine(outcome, result.reason) : outcome;
      observer.sent({ ...of, outcome: refined, ...(isInvalid ? { isInvalid } : {}), ms: response.ms });
    }
    return result;
  };
