// SPDX-License-Identifier: Apache-2.0
// The outcome of the requests to ad sources for a break, from its record. Codes are those of the trace.
import type { AskedSource, BreakRecord, Reason } from '../../../../ads/record/breakRecord.ts';
import { notSentFields } from '../demandReports.ts';

/** `empty`: a valid response without an ad; `error`: any failure other than a timeout. */
export type SourceOutcome = 'answered' | 'empty' | 'error' | 'timeout' | 'notSent';

export type SourceRequest = {
  /** The id of the ad source; absent for the ad server of a channel without steps. */
  readonly source?: string;
  readonly outcome: SourceOutcome;
  /** The code of the reason why there are no ads; with the bidder's own code, such as `NO_BID_2`. */
  readonly reason?: string;
  /** Milliseconds that the source was requested to fill. */
  readonly requestedMs: number;
  /** Milliseconds; absent if nothing was sent over the network. */
  readonly latencyMs?: number;
};

/** Whether ads were requested for a break: the longest time that a source was to fill, or the code of the reason why not. */
export type BreakDemand = { readonly requestedMs: number } | { readonly notRequested: string };

type Asked = Pick<AskedSource, 'asked' | 'offered' | 'reason' | 'request'>;

function outcomeOf({ asked, offered, reason, request }: Asked): SourceOutcome {
  if (asked === undefined) return 'notSent';
  if (offered > 0) return 'answered';
  const code = reason?.code ?? '';
  if (notSentFields.has(code)) return 'notSent';
  if (code.endsWith('_TIMEOUT')) return 'timeout';
  return request?.error !== undefined || /_(FAILED|UNREADABLE)$/.test(code) ? 'error' : 'empty';
}

/** Bidders may define codes of their own, which are counted as one (OpenRTB 3.0, "No-Bid Reason Codes": 0 to 17). */
const MOST_NBR = 17;

function codeOf({ code, nbr }: Reason): string {
  if (nbr === undefined) return code;
  return `${code}_${nbr >= 0 && nbr <= MOST_NBR ? nbr : 'OTHER'}`;
}

const requestOf = (one: Asked): SourceRequest => {
  const { asked, offered, reason, request } = one;
  const outcome = outcomeOf(one);
  const isSent = outcome !== 'notSent';
  return {
    outcome,
    ...(offered === 0 && reason ? { reason: codeOf(reason) } : {}),
    requestedMs: isSent ? Math.round((asked?.duration ?? 0) * 1000) : 0,
    ...(isSent && request ? { latencyMs: request.ms } : {}),
  };
};

/** A response that names several breaks (VMAP) counts for each. */
export function requestsOf({ sources, request, reason, limits, duration, ads }: BreakRecord): SourceRequest[] {
  if (sources !== undefined) return sources.map((one) => ({ source: one.source, ...requestOf(one) }));
  if (request === undefined) return [];
  const only = { asked: limits ?? { duration }, offered: ads.length, request };
  return [requestOf(reason === undefined ? only : { ...only, reason })];
}

export function demandOf({ reason }: BreakRecord, requests: readonly SourceRequest[]): BreakDemand {
  const sent = requests.filter(({ outcome }) => outcome !== 'notSent');
  if (sent.length === 0) return { notRequested: reason?.code ?? 'NOT_REQUESTED' };
  return { requestedMs: Math.max(...sent.map(({ requestedMs }) => requestedMs)) };
}
