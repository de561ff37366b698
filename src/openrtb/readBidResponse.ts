// SPDX-License-Identifier: Apache-2.0
// Reads a bid response (OpenRTB 2.6 §4) as far as a break can use it. Lenient: numbers may be strings, and a bid that cannot be read
// costs that bid. The markup of the bids is left to src/vast.
import type { SkipCode } from '../ads/pod/adOutcome.ts';
import { type BidFacts, microsOf, unitsOf } from '../ads/record/offer.ts';
import { advertiserOf, boundedTraits } from '../ads/record/traits.ts';
import { type Fields, fieldsOf, isFields } from '../channels/fieldsOf.ts';
import { withoutUndefined } from '../invariant.ts';
import { type Auction, type BidsRead, floorFault, type ReadBid, type RefusedBid } from './auction.ts';
import { type AuctionValues, fillAuctionMacros, isOfLoss } from './auctionMacros.ts';
import { noBidReason } from './noBidReason.ts';

const MAX_BIDS = 200;
/** Bids whose markup is read: the best pod is found among so many. */
const MAX_READ = 30;
/** Refused bids in the record of a break. */
const MAX_REFUSED = 50;
const MAX_WARNINGS = 50;
const MAX_ID = 256;
const MAX_URL = 4_096;
/** Characters of all bids, with their macros filled. */
const MAX_MARKUP = 2 ** 21;
/** Units of a currency for a thousand impressions. */
const MAX_PRICE = 1_000_000;

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

/** Text, or a number as text; undefined if it is empty or anything else. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

const idOf = (value: unknown): string | undefined => textOf(value)?.slice(0, MAX_ID);
const textsOf = (value: unknown): string[] =>
  listOf(value)
    .slice(0, MAX_BIDS)
    .flatMap((one) => textOf(one) ?? []);

/** A finite number, or text that is one. */
function numberOf(value: unknown): number | undefined {
  const number = Number(textOf(value));
  return Number.isFinite(number) ? number : undefined;
}

/** A value as a warning shows it. Its contents may be nested to any depth. */
const shown = (value: unknown): string =>
  typeof value === 'string'
    ? JSON.stringify(value.slice(0, 60))
    : typeof value === 'object' && value !== null
      ? Array.isArray(value)
        ? 'a list'
        : 'an object'
      : String(value ?? 'nothing');

const languageOf = (bid: Fields): string | undefined => {
  const [language] = /^[a-z]{2}(?![a-z])/.exec((textOf(bid.language) ?? textOf(bid.langb) ?? '').toLowerCase()) ?? [];
  // The creative contains no language.
  return language === 'xx' ? undefined : language;
};

const slots = new Map<number | undefined, BidFacts['slot']>([
  [1, 'first'],
  [-1, 'last'],
  [2, 'edge'],
]);

/** A bid before it is compared with others. */
type Draft = Omit<ReadBid, 'adm'> & { readonly fill: (text: string) => string; readonly adm: string | undefined };

type Reading = {
  readonly auction: Auction;
  readonly currency: string;
  readonly bidId: string | undefined;
  readonly warn: (text: string) => void;
};

type Notice = {
  readonly field: 'nurl' | 'burl' | 'lurl';
  readonly fill: (text: string) => string;
};

/** The URL of a notice with its macros filled. @param name such as `bid 3 ("abc")` */
function urlOf(bid: Fields, { field, fill }: Notice, name: string, { warn }: Reading): string | undefined {
  const text = textOf(bid[field]);
  if (text === undefined) return undefined;
  const url = text.length <= MAX_URL ? fill(text) : text;
  if (url.length <= MAX_URL && /^https?:\/\//i.test(url)) return url;
  const expected = `must be an http or https URL of at most ${MAX_URL} characters, with its macros filled`;
  warn(`${name}: ${field} ${expected}; got ${shown(text)}; it is not called`);
  return undefined;
}

function draftOf(one: unknown, seat: string | undefined, place: number, reading: Reading): Draft | undefined {
  const { auction, currency, bidId, warn } = reading;
  if (!isFields(one)) {
    warn(`bid ${place} must be an object; got ${shown(one)}`);
    return undefined;
  }
  const id = idOf(one.id) ?? `${place}`;
  const name = `bid ${place} ("${id}")`;
  const deal = idOf(one.dealid);
  const price = numberOf(one.price) ?? Number.NaN;
  // Without the sign of a zero.
  const micros = microsOf(price) + 0;
  if (!(price >= 0 && price <= MAX_PRICE) || (micros === 0 && deal === undefined)) {
    warn(`${name}: price must be a number above 0 and at most ${MAX_PRICE}; got ${shown(one.price)}`);
    return undefined;
  }
  const known = new Map([
    ['ID', auction.id],
    ['BID_ID', bidId],
    ['IMP_ID', idOf(one.impid)],
    ['SEAT_ID', seat],
    ['AD_ID', idOf(one.adid)],
    ['CURRENCY', currency],
    ['MULTIPLIER', '1'],
  ]);
  const ofWin = new Map([...known, ['PRICE', String(unitsOf(micros))], ['MBR', '1'], ['LOSS', '0']]);
  // A macro without a value is removed (§4.4), and the price is not disclosed to those who lose.
  const fill = (text: string): string => fillAuctionMacros(text, (macro) => ofWin.get(macro) ?? '');
  const ofLoss: AuctionValues = (macro) => (isOfLoss(macro) ? undefined : (known.get(macro) ?? ''));
  const fillLoss = (text: string): string => fillAuctionMacros(text, ofLoss);
  const notices = withoutUndefined({
    win: urlOf(one, { field: 'nurl', fill }, name, reading),
    loss: urlOf(one, { field: 'lurl', fill: fillLoss }, name, reading),
  });
  const seconds = numberOf(one.dur);
  const traits = boundedTraits({
    advertisers: textsOf(one.adomain).map(advertiserOf),
    categories: textsOf(one.cat).map((category) => category.toLowerCase()),
    creatives: textsOf(one.crid),
    ...withoutUndefined({ language: languageOf(one) }),
  });
  return {
    price: { micros, currency },
    traits,
    facts: { id, notices, ...withoutUndefined({ seat, deal, slot: slots.get(numberOf(one.slotinpod)) }) },
    adm: typeof one.adm === 'string' && one.adm.trim() !== '' ? one.adm : undefined,
    fill,
    ...withoutUndefined({
      burl: urlOf(one, { field: 'burl', fill }, name, reading),
      seconds: seconds !== undefined && seconds > 0 ? seconds : undefined,
    }),
  };
}

const refusal = (code: SkipCode, text: string): RefusedBid['skip'] => ({ code, text });

/** Why a bid is not worth reading further, whatever other bids are. */
function faultOf(draft: Draft, one: Fields, { auction, currency }: Reading): RefusedBid['skip'] | undefined {
  const { adm, seconds } = draft;
  const impId = idOf(one.impid);
  if (impId !== undefined && !auction.impIds.includes(impId))
    return refusal('BID_INVALID', `It is for the impression "${impId}", which was not requested.`);
  if (currency !== auction.currency)
    return refusal('BID_CURRENCY', `Its price is in ${currency}; the request allows ${auction.currency} only.`);
  const type = numberOf(one.mtype) ?? 2;
  if (type !== 2) return refusal('BID_INVALID', `Its markup is not video (mtype ${type}).`);
  if (adm === undefined)
    return refusal('BID_INVALID', 'It has no markup (adm). Markup in the response of a win notice is not supported.');
  if (seconds !== undefined && seconds > auction.seconds) {
    const text = `It lasts ${seconds} s; ${auction.seconds} s were requested.`;
    return refusal('BREAK_DURATION_EXCEEDED', text);
  }
  const validFor = numberOf(one.exp);
  if (validFor !== undefined && validFor < auction.startsIn) {
    const text = `It is valid for ${validFor} s, and the break begins in ${auction.startsIn} s.`;
    return refusal('BID_INVALID', text);
  }
  return floorFault(draft, auction, seconds);
}

/** Ads of unknown length count as long as the break. */
const perSecond = ({ price, seconds }: Draft, { seconds: all }: Auction): number => price.micros / (seconds ?? all);

function parsed(text: string): Fields | string {
  try {
    const json: unknown = JSON.parse(text);
    return isFields(json) ? json : `it is JSON, but not an object: ${shown(json)}`;
  } catch (error) {
    return `it is not JSON: ${error instanceof Error ? error.message : error}`;
  }
}

/** Bytes of a response as text. Invalid UTF-8 is replaced. */
export const bidText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

export function readBidResponse(text: string, auction: Auction): BidsRead {
  if (text.trim() === '') return { kind: 'noBid', reason: noBidReason(), warnings: [] };
  const response = parsed(text);
  if (typeof response === 'string') return { kind: 'unreadable', reason: response };
  const warnings: string[] = [];
  const warn = (warning: string): void => void (warnings.length < MAX_WARNINGS && warnings.push(warning));
  const currency = (idOf(response.cur) ?? 'USD').toUpperCase();
  const reading: Reading = { auction, currency, bidId: idOf(response.bidid), warn };
  const id = idOf(response.id);
  if (id !== undefined && id !== auction.id) warn(`the response has the id ${shown(id)} of another request`);

  const drafts: Draft[] = [];
  const refused: RefusedBid[] = [];
  const refuse = ({ price, traits, facts }: Draft, skip: RefusedBid['skip']): void =>
    void refused.push({ price, traits, facts, skip });
  let count = 0;
  for (const seat of listOf(response.seatbid).map(fieldsOf)) {
    const seatId = idOf(seat.seat);
    for (const one of listOf(seat.bid)) {
      count += 1;
      if (count > MAX_BIDS) continue;
      const draft = draftOf(one, seatId, count, reading);
      if (draft === undefined) continue;
      const fault = faultOf(draft, fieldsOf(one), reading);
      if (fault === undefined) drafts.push(draft);
      else refuse(draft, fault);
    }
  }
  if (count === 0) return { kind: 'noBid', reason: noBidReason(numberOf(response.nbr)), warnings };
  if (count > MAX_BIDS) warn(`the response has ${count} bids; the first ${MAX_BIDS} are read`);
  const best = drafts.toSorted((a, b) => perSecond(b, auction) - perSecond(a, auction));
  const outbid = `${MAX_READ} other bids of the response offer as much per second, or more; no more are considered.`;
  for (const draft of best.slice(MAX_READ)) refuse(draft, refusal('OUTBID', outbid));
  const bids: ReadBid[] = [];
  let room = MAX_MARKUP;
  for (const draft of best.slice(0, MAX_READ)) {
    const { fill, ...bid } = draft;
    const adm = room < 0 ? '' : fill(bid.adm ?? '');
    room -= adm.length;
    if (room >= 0) bids.push({ ...bid, adm });
    else refuse(draft, refusal('BID_INVALID', 'The markup of the bids of the response is too long.'));
  }
  if (refused.length > MAX_REFUSED) warn(`${refused.length} bids were refused; ${MAX_REFUSED} are listed`);
  return { kind: 'bids', bids, refused: refused.slice(0, MAX_REFUSED), warnings };
}
