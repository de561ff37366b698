// SPDX-License-Identifier: Apache-2.0
// Calls the Error URLs of ads that could not be shown, with the code of the error (VAST 4.2 §2.3.6). Each URL is called once;
// failures are not retried.
import { type Skip, vastErrorOf } from '../../ads/pod/adOutcome.ts';
import type { ErrorBeacon } from '../../ads/record/breakRecord.ts';
import { viewerHeaders } from '../../ads/request/buildAdRequest.ts';
import type { FireAndForget } from '../../ads/request/ports.ts';
import { requestVariables } from '../../ads/request/requestVariables.ts';
import type { Millis } from '../../time/units.ts';
import { fillMacros } from '../../vast/macros.ts';
import type { InLineAd } from '../../vast/response.ts';
import { type AdRequestContext, momentOf } from './requestAds.ts';

/** Calls per break. A response may list any number of URLs. */
const MAX_CALLS = 200;

/** The Error URLs of an ad that is not shown; empty if the ad itself is not at fault. */
export function errorBeaconsOf(ad: InLineAd, { code, fault }: Pick<Skip, 'code' | 'fault'>): ErrorBeacon[] {
  const vastCode = vastErrorOf(code, fault);
  return vastCode === undefined ? [] : ad.errorUrls.map((url) => ({ url, code: vastCode }));
}

export function callErrorUrls(
  errors: readonly ErrorBeacon[],
  { session, adBreak }: Pick<AdRequestContext, 'session' | 'adBreak'>,
  fire: FireAndForget,
  now: Millis,
): void {
  const headers = viewerHeaders(session.viewer);
  for (const { url, code } of errors.slice(0, MAX_CALLS)) {
    const variables = requestVariables(session, adBreak, momentOf(now));
    fire(
      fillMacros(url, (name) => (name.toUpperCase() === 'ERRORCODE' ? String(code) : variables(name))),
      headers,
      session.tenant,
    );
  }
}
