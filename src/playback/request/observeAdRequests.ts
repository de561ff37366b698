// SPDX-License-Identifier: Apache-2.0
// Observes the requests to ad servers: the first request of a break, and those for wrappers.
import type { AdRequestOutcome } from '../../ads/record/breakRecord.ts';
import type { AdServer, AdServerResponse } from '../../ads/request/ports.ts';
import { isPreview } from '../../ads/request/preview.ts';
import type { Millis } from '../../time/units.ts';
import type { AdRequestContext } from './requestAds.ts';

type Outcome = 'answered' | 'empty' | 'error' | 'timeout';

/** A request that was sent to an ad server, including those for wrappers. */
export type SentAdRequest = {
  /** When it ended. */
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
  if (reason?.code === 'NO_ADS') return 'empty';
  return reason?.code === 'VAST_UNREADABLE' ? 'error' : 'answered';
}

/**
 * Wraps `requestAds` or `requestPresentation`: reports every request to an ad server once the outcome for the break is known,
 * except for previews.
 */
export const observeAdRequests =
  <Result extends Pick<AdRequestOutcome, 'reason'>>(
    request: (context: AdRequestContext, adServer: AdServer) => Promise<Result>,
    adServer: AdServer,
    onSent: (request: SentAdRequest) => void,
    now: () => Millis,
  ) =>
  async (context: AdRequestContext): Promise<Result> => {
    const { channelId: channel, tenant } = context.session;
    if (tenant === undefined || isPreview(context.session)) return request(context, adServer);
    const sent: { readonly host: string; readonly outcome: Outcome; readonly ms: number; readonly at: Millis }[] = [];
    let first: (typeof sent)[number] | undefined;
    let isFirst = true;
    const observed: AdServer = {
      async send(request, limits) {
        const isFirstOfBreak = isFirst;
        isFirst = false;
        const response = await adServer.send(request, limits);
        const outcome = outcomeOf(response);
        if (outcome === undefined) return response;
        const exchange = { host: hostOf(request.url), outcome, ms: response.ms, at: now() };
        sent.push(exchange);
        if (isFirstOfBreak) first = exchange;
        return response;
      },
    };
    const result = await request(context, observed);
    for (const exchange of sent) {
      const { host, ms, at } = exchange;
      const outcome = exchange === first ? refine(exchange.outcome, result.reason) : exchange.outcome;
      onSent({
        at,
        channel,
        tenant,
        adServer: host,
        outcome,
        ...(exchange === first && result.reason?.code === 'VAST_UNREADABLE' ? { isInvalid: true as const } : {}),
        ms,
      });
    }
    return result;
  };
