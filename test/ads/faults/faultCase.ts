// SPDX-License-Identifier: Apache-2.0
// Faults of ad servers and their ads, with the outcome that each must have.
import { explainFailure } from '../../../src/adapters/http/exchangeFailure.ts';
import type { SkipCode } from '../../../src/ads/pod/adOutcome.ts';
import type { MisbehavingServer } from '../../servers/misbehavingServer.ts';
import { type AdContent, inLineXml, vastXml } from './vastXml.ts';

export type ExpectedOutcome = {
  /** The code of the break's reason. */
  readonly code?: string;
  /** The code of an ad that is skipped. */
  readonly skipCode?: SkipCode;
  /** Values that occur in the reason of the break or of an ad. */
  readonly values?: readonly string[];
  /** Titles of the stitched ads. */
  readonly titles?: readonly string[];
  /** The VAST error code that an Error URL receives. */
  readonly errorCode?: number;
};

export type FaultCase = {
  readonly name: string;
  /** Prepares the ad server. @returns the path that the channel requests, or the URL of another server */
  readonly prepare: (host: MisbehavingServer, media: string) => string | { readonly url: string };
  readonly outcome: ExpectedOutcome;
};

/** The ad server returns this body. */
export const sends =
  (body: (host: MisbehavingServer, media: string) => string | Buffer, headers: Record<string, string> = {}) =>
  (host: MisbehavingServer, media: string): string => {
    host.on('/vast', (response) => {
      response.writeHead(200, { 'content-type': 'application/xml', ...headers }).end(body(host, media));
    });
    return '/vast';
  };

/** The ad server returns these ads. */
export const ads = (...contents: readonly AdContent[]) =>
  sends((host, media) =>
    vastXml(...contents.map((one) => inLineXml(`${host.url}/error`, { ...one, media: `${media}/${one.media}` }))),
  );

/** The ad server returns one ad. @param media name of a file of faultyMedia.ts */
export const creative = (media: string, more: Omit<AdContent, 'media'> = {}) => ads({ media, ...more });

/** An ad without faults, titled "One". */
export const plainAd = (host: MisbehavingServer, media: string, more: Partial<AdContent> = {}): string =>
  inLineXml(`${host.url}/error`, { media: `${media}/plain.mp4`, ...more });

/** The ad titled "One" is shown. */
export const shown: ExpectedOutcome = { code: 'TOO_FEW_ADS', titles: ['One'] };

/** The break has no ads. */
export const failed = (code: string, ...values: readonly string[]): ExpectedOutcome => ({ code, values });

/** The connection fails. @param errorCode of Node.js or undici */
export const connectionFailed = (errorCode: string): ExpectedOutcome =>
  failed('AD_SERVER_FAILED', explainFailure(Object.assign(new Error(), { code: errorCode })).reason);

/** The only ad is skipped. */
export const skips = (skipCode: SkipCode, errorCode?: number, ...values: readonly string[]): ExpectedOutcome => ({
  ...{ code: 'NO_AD_SHOWN', skipCode, values },
  ...(errorCode === undefined ? {} : { errorCode }),
});
