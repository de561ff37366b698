// SPDX-License-Identifier: Apache-2.0
// The macros that a bidder may put into its URLs and its markup (OpenRTB 2.6 §4.4), such as `${AUCTION_PRICE}`, and the codes of a
// loss (OpenRTB 3.0, "Loss Reason Codes"). The auction is at the first price, so a bid that wins pays what it offers.
import type { SkipCode } from '../ads/pod/adOutcome.ts';
import { encodeMacroValue } from '../vast/macros.ts';

/** The value of a macro without `AUCTION_`; undefined for one that is left as it is. */
export type AuctionValues = (name: string) => string | undefined;

const pattern = /(?:\$|%24)(?:\{|%7B)AUCTION_([A-Z_]+)(?:(?::|%3A)([A-Z\d_]+))?(?:\}|%7D)/gi;
/** Values may be longer than their macros, so markup that consists of macros would become many times larger. */
const MAX_MACROS = 1_000;

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** Values are encoded for a URL. A macro with an encoding other than Base64 (`:B64`) is left as it is. */
export function fillAuctionMacros(text: string, values: AuctionValues): string {
  let count = 0;
  return text.replace(pattern, (whole, name: string, coding: string | undefined) => {
    count += 1;
    const value = count > MAX_MACROS ? undefined : values(name.toUpperCase());
    if (value === undefined || (coding !== undefined && coding.toUpperCase() !== 'B64')) return whole;
    return encodeMacroValue(coding === undefined ? value : base64(value));
  });
}

/** Macros of a loss notice whose values are not known before the loss. */
export const isOfLoss = (name: string): boolean => name === 'LOSS' || name === 'MIN_TO_WIN';

/** The URL of a loss notice (`notices.loss`) with its code (`lossCodeOf`). What the winner paid is not disclosed. */
export const lossUrl = (url: string, code: number): string =>
  fillAuctionMacros(url, (name) => (isOfLoss(name) ? (name === 'LOSS' ? String(code) : '') : undefined));

const INVALID = 3;
const NO_MARKUP = 7;
const OTHER_AD = 102;
const CREATIVE_FILTERED = 200;
const WRONG_FORMAT = 204;
const ADVERTISER_EXCLUDED = 205;

/** Of reasons for not showing an ad; `EARLY_RETURN` is that of a break that ended before the ad. */
const lossCodes: ReadonlyMap<string, number> = new Map<SkipCode | 'EARLY_RETURN', number>([
  ['EARLY_RETURN', 2],
  ['BID_INVALID', INVALID],
  ['BID_CURRENCY', INVALID],
  ['VAST_UNREADABLE', INVALID],
  ['NEITHER_INLINE_NOR_WRAPPER', INVALID],
  ['WRAPPER_FAILED', NO_MARKUP],
  ['WRAPPER_TIMEOUT', NO_MARKUP],
  ['WRAPPER_LIMIT', NO_MARKUP],
  ['WRAPPER_LOOP', NO_MARKUP],
  ['WRAPPER_EMPTY', NO_MARKUP],
  ['WRAPPER_FORBIDS', NO_MARKUP],
  ['BELOW_FLOOR', 100],
  ['OUTBID', OTHER_AD],
  ['POSITION_TAKEN', OTHER_AD],
  ['MAX_ADS_REACHED', OTHER_AD],
  ['REMAINDER_TOO_SHORT', OTHER_AD],
  ['BREAK_FULL', OTHER_AD],
  ['CREATIVE_PREPARING', 201],
  ['CONDITIONAL', WRONG_FORMAT],
  ['NOT_LINEAR', WRONG_FORMAT],
  ['NO_MEDIA_FILE', WRONG_FORMAT],
  ['ADVERTISER_BLOCKED', ADVERTISER_EXCLUDED],
  ['ADVERTISER_LIMIT', ADVERTISER_EXCLUDED],
  ['LANGUAGE_BLOCKED', 208],
  ['CATEGORY_BLOCKED', 209],
  ['CATEGORY_EXCLUDED', 209],
]);

/** The number of a loss. @param code why the ad is not shown, in its record */
export const lossCodeOf = (code: string): number => lossCodes.get(code) ?? CREATIVE_FILTERED;
