// SPDX-License-Identifier: Apache-2.0
// Content negotiation: which of the offered media types the client prefers. Source: RFC 9110 §12.5.1.

type Range = { readonly type: string; readonly quality: number };

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
  const quality = weight === undefined ? 1 : Number(weight);
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/** The most specific range that matches the type decides. */
function qualityOf(offer: string, ranges: readonly Range[]): number {
  const names = [offer, `${offer.split('/')[0]}/*`, '*/*'];
  for (const name of names) {
    const range = ranges.find(({ type }) => type === name);
    if (range) return range.quality;
  }
  return 0;
}

/** @returns the offer with the highest quality, the first of equals; the first if the client accepts none or sent no header */
export function negotiate<Offer extends string>(
  accept: string | undefined,
  offers: readonly [Offer, ...Offer[]],
): Offer {
  if (accept === undefined || accept.trim() === '') return offers[0];
  const ranges = accept.split(',').map(readRange);
  return offers.reduce((best, offer) => (qualityOf(offer, ranges) > qualityOf(best, ranges) ? offer : best), offers[0]);
}
