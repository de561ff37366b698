// SPDX-License-Identifier: Apache-2.0
// The ads of a past break from what its record has of the ad response. The record has the start of the response, and the ads
// that were shown; it does not have the responses of wrappers.

import type { BreakRecord, ResolvedAd, ServerOutcome } from '../../../ads/record/breakRecord.ts';
import { MASK } from '../../../ads/request/maskSecrets.ts';
import type { AdResponseReader } from '../../../ads/request/ports.ts';
import { withoutUndefined } from '../../../invariant.ts';
import type { BidReader } from '../../../openrtb/ports.ts';
import { breakOutcome, resolveDocument } from '../../../playback/request/breakOutcome.ts';
import type { WrapperFetcher } from '../../../playback/request/resolveWrappers.ts';
import type { MacroValues } from '../../../vast/macros.ts';
import { MAX_RAW_CHARACTERS } from '../../../vast/read/readAdResponse.ts';
import type { InLineAd } from '../../../vast/response.ts';

type StoredOutcome = {
  readonly outcome: Omit<ServerOutcome, 'request'>;
  /** What was not stored of the response, in sentences. */
  readonly missing: readonly string[];
};

export type ReplayDeps = {
  readonly reader: AdResponseReader & BidReader;
  readonly variables: MacroValues;
  /** Requests wrappers again; without it, their ads are those that were shown. */
  readonly fetchWrapper?: WrapperFetcher | undefined;
};

const firstFileOf = ({ creatives }: InLineAd): string | undefined =>
  creatives.find(({ linear }) => linear !== undefined)?.linear?.mediaFiles[0]?.url;

/** An ad keeps its id and its files, whatever wrappers add to it. */
const isSame = (found: InLineAd, shown: InLineAd): boolean =>
  found.id === shown.id && isMaskedText(firstFileOf(found), firstFileOf(shown));

/** Secrets of the request are masked in the stored response, but not in the ads that were shown, which players need as they are. */
function isMaskedText(masked: string | undefined, text: string | undefined): boolean {
  if (masked === undefined || text === undefined || !masked.includes(MASK)) return masked === text;
  const [start = '', ...parts] = masked.split(MASK);
  const end = parts.pop() ?? '';
  if (!text.startsWith(start)) return false;
  let at = start.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - end.length >= at && text.endsWith(end);
}

/**
 * Adds the ads that were shown and are not in the response, each before the one that was shown after it. An ad of the
 * response with masked secrets is replaced by the one that was shown.
 */
function withShown(found: readonly ResolvedAd[], shown: readonly InLineAd[]): readonly ResolvedAd[] {
  const ads = [...found];
  let before = ads.length;
  for (const ad of [...shown].reverse()) {
    const place = ads.findLastIndex((one, index) => index <= before && isSame(one.ad, ad));
    const same = ads[place];
    if (same === undefined) {
      ads.splice(before, 0, { ad, ...withoutUndefined({ sequence: ad.sequence }) });
    } else {
      if (JSON.stringify(same.ad).includes(MASK)) ads[place] = { ...same, ad };
      before = place;
    }
  }
  return ads;
}

/** Characters may be several bytes, and masked secrets are shorter than before. */
export const isStart = ({ bytes, raw }: BreakRecord['response'] & {}): boolean =>
  bytes > MAX_RAW_CHARACTERS && (raw.length >= MAX_RAW_CHARACTERS || raw.includes(MASK));

export const NO_WRAPPERS: WrapperFetcher = async () => 'empty';

export async function storedOutcome(
  {
    request,
    response,
    ads,
    wrappers = [],
    reason,
    position,
  }: Pick<BreakRecord, 'request' | 'response' | 'ads' | 'wrappers' | 'reason' | 'position'>,
  { reader, variables, fetchWrapper }: ReplayDeps,
): Promise<StoredOutcome> {
  const shown = ads.flatMap(({ vast }) => (vast?.kind === 'inLine' ? [vast] : []));
  const missing: string[] = [];
  const none = { warnings: [], ads: [], dropped: [], errors: [] };
  const fromShown = (text: string): StoredOutcome => ({
    outcome: {
      ...none,
      ads: withShown([], shown),
      variables,
      ...(shown.length > 0 ? {} : { reason: { code: 'NO_ADS', text: reason?.text ?? 'No ad response is stored.' } }),
    },
    missing: [text],
  });
  // Whatever a failed response contains is not for viewers.
  if (request?.error !== undefined && shown.length === 0)
    return {
      outcome: { ...none, reason: { code: 'AD_SERVER_FAILED', text: request.error } },
      missing: ['The ad request failed, so there is no ad response to replay. Use Try ads to request ads now.'],
    };
  if (response === undefined)
    return fromShown(
      position?.origin === 'vmap'
        ? 'The ad server named this break in one response for the whole session, which its record does not repeat; only ads that were shown then are replayed.'
        : 'The record has no ad response; only ads that were shown then are replayed.',
    );
  const bytes = new TextEncoder().encode(response.raw);
  // Text is encoded as UTF-8 here, whatever the document declares.
  const { document } = await reader.read({ url: '', bytes, contentType: 'text/xml; charset=utf-8' });
  const resolved = await resolveDocument(document, fetchWrapper ?? NO_WRAPPERS);
  if ('reason' in resolved) {
    if (shown.length > 0) return fromShown('The stored start of the ad response cannot be read on its own.');
    return { outcome: { ...none, reason: { code: 'VAST_UNREADABLE', text: resolved.reason } }, missing };
  }
  if (isStart(response))
    missing.push(
      `The record has the first ${response.raw.length} of ${response.bytes} bytes of the ad response; ads after them are not replayed unless they were shown.`,
    );
  if (response.raw.includes(MASK))
    missing.push('Secrets are masked in the stored ad response: URLs that contain them are not those of then.');
  const outcome = breakOutcome(resolved.resolution, 'The stored ad response contains no ads.', reader.maxUrls);
  if (fetchWrapper !== undefined) return { outcome: { ...outcome, variables }, missing };
  if (wrappers.length > 0) {
    const behind = resolved.version.startsWith('VMAP') ? 'ad tags and wrappers' : 'wrappers';
    const text = `The responses of ${wrappers.length} further requests are not stored: of the ads behind ${behind}, those that were shown then are replayed.`;
    missing.push(text);
  }
  const all = withShown(outcome.ads, shown);
  // Wrappers without a response are not the fault of the ad server.
  const dropped = outcome.dropped.filter(({ skip }) => !skip.code.startsWith('WRAPPER_'));
  const { reason: noAds, ...rest } = outcome;
  return {
    outcome: { ...rest, ads: all, dropped, variables, ...(all.length === 0 && noAds ? { reason: noAds } : {}) },
    missing,
  };
}
