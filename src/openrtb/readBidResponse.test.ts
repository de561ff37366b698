// SPDX-License-Identifier: Apache-2.0
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: macros use this syntax
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { naming } from '../../test/naming.ts';
import type { Auction, BidsRead } from './auction.ts';
import { lossCodeOf, lossUrl } from './auctionMacros.ts';
import { readBidResponse } from './readBidResponse.ts';

const auction: Auction = {
  id: 'auction-1',
  impIds: ['1'],
  currency: 'USD',
  dealFloors: {},
  seconds: 60,
  startsIn: 40,
};
const bid = (more: object = {}) => ({ id: 'a', impid: '1', price: 5, adm: '<VAST/>', dur: 15, ...more });
const read = (bids: readonly unknown[], more: object = {}, own: Partial<Auction> = {}) => {
  const result = readBidResponse(JSON.stringify({ seatbid: [{ seat: 's&1', bid: bids }], ...more }), {
    ...auction,
    ...own,
  });
  if (result.kind !== 'bids') throw new Error(JSON.stringify(result));
  return result;
};
const refusedOf = ({ refused }: Extract<BidsRead, { kind: 'bids' }>) =>
  refused.map(({ facts: { id }, skip: { code } }) => `${id} ${code}`);

describe('a bid', () => {
  it('has its price in micros, its traits, and what identifies it', () => {
    const { bids, warnings } = read([
      bid({
        price: '5.2500001',
        adomain: ['WWW.Tea.example', 'https://www.tea.example/shop'],
        cat: ['IAB8-1', 'IAB8'],
        crid: 'c-7',
        language: 'DE',
        dealid: 'd1',
        slotinpod: 1,
        dur: '15',
        mtype: 2,
      }),
    ]);
    expect(warnings).toEqual([]);
    expect(bids).toEqual([
      {
        adm: '<VAST/>',
        price: { micros: 5_250_000, currency: 'USD' },
        traits: {
          advertisers: ['tea.example'],
          categories: ['iab8-1', 'iab8'],
          creatives: ['c-7'],
          language: 'de',
        },
        facts: { id: 'a', seat: 's&1', deal: 'd1', slot: 'first', notices: {} },
        seconds: 15,
      },
    ]);
  });

  it('has the macros of the auction filled', () => {
    const macros = '${AUCTION_ID}|$%7BAUCTION_BID_ID%7D|${AUCTION_IMP_ID}|${AUCTION_SEAT_ID}|${AUCTION_AD_ID}';
    const more = '${AUCTION_PRICE}|${AUCTION_PRICE:B64}|${AUCTION_CURRENCY}|${AUCTION_MBR}|${AUCTION_MULTIPLIER}';
    const odd = '${AUCTION_UNKNOWN}|${AUCTION_PRICE:AES}|${OTHER}|${AUCTION_LOSS}|${AUCTION_MIN_TO_WIN}';
    const filled = 'auction-1|b%2F1|1|s%261|ad|5.25|NS4yNQ%3D%3D|USD|1|1||${AUCTION_PRICE:AES}|${OTHER}';
    const text = `${macros}|${more}|${odd}`;
    const urls = {
      nurl: `http://n.example/?${text}`,
      burl: `https://b.example/?${text}`,
      lurl: `http://l.example/?${text}`,
    };
    const { bids } = read([bid({ price: 5.25, adid: 'ad', adm: text, ...urls })], { bidid: 'b/1' });
    const [{ adm, burl, facts }] = bids as [(typeof bids)[0]];
    expect(adm).toBe(`${filled}|0|`);
    expect(burl).toBe(`https://b.example/?${filled}|0|`);
    expect(facts.notices.win).toBe(`http://n.example/?${filled}|0|`);
    const lost = filled.replace('5.25|NS4yNQ%3D%3D', '|').replace('USD|1|1', 'USD||1');
    expect(lossUrl(facts.notices.loss!, 102)).toBe(`http://l.example/?${lost}|102|`);
  });

  it.each([
    ['not an object', 7],
    ['without a price', bid({ price: undefined })],
    ['with text as its price', bid({ price: 'free' })],
    ['with a price of 0', bid({ price: 0 })],
    ['with a negative price', bid({ price: -1 })],
    ['with a price beyond all bounds', bid({ price: 1e300 })],
  ])('%s costs that bid, with a warning that names it', (_, broken) => {
    const { bids, warnings } = read([bid({ id: 'first' }), broken, bid({ id: 'last' })]);
    expect(bids.map(({ facts }) => facts.id)).toEqual(['first', 'last']);
    expect(warnings).toEqual([naming('bid 2')]);
  });

  it('may cost nothing if it is of a deal', () => {
    expect(read([bid({ price: 0, dealid: 'd1' })]).bids).toHaveLength(1);
  });

  it.each([
    ['another impression', { impid: '2' }, 'BID_INVALID'],
    ['no markup', { adm: ' ' }, 'BID_INVALID'],
    ['a banner', { mtype: 1 }, 'BID_INVALID'],
    ['a length beyond the request', { dur: 61 }, 'BREAK_DURATION_EXCEEDED'],
    ['an end before the break', { exp: 39 }, 'BID_INVALID'],
    ['a price below the floor', { price: 4.99 }, 'BELOW_FLOOR'],
    ['a price below the floor of its seconds', { dur: 60, price: 5.9 }, 'BELOW_FLOOR'],
  ])('with %s is refused', (_, more, code) => {
    const result = read([bid(more)], {}, { floor: 5_000_000, floorPerSecond: 100_000 });
    expect(result.bids).toEqual([]);
    expect(refusedOf(result)).toEqual([`a ${code}`]);
  });

  it('of a deal has the floor of the deal', () => {
    const own = { floor: 5_000_000, dealFloors: { d1: 3_000_000 } };
    const bids = [
      bid({ price: 3, dealid: 'd1' }),
      bid({ id: 'b', price: 2.9, dealid: 'd1' }),
      bid({ id: 'c', price: 3, dealid: 'd2' }),
    ];
    expect(refusedOf(read(bids, {}, own))).toEqual(['b BELOW_FLOOR', 'c BELOW_FLOOR']);
  });

  it('in another currency is refused; without one, the currency is USD', () => {
    expect(refusedOf(read([bid()], { cur: 'EUR' }))).toEqual(['a BID_CURRENCY']);
    expect(refusedOf(read([bid()], {}, { currency: 'EUR' }))).toEqual(['a BID_CURRENCY']);
    expect(read([bid()], { cur: 'eur' }, { currency: 'EUR' }).bids).toHaveLength(1);
  });

  it('is used without a notice whose URL is invalid or too long', () => {
    const grown = `https://b.example/${'${AUCTION_SEAT_ID}'.repeat(200)}`;
    const urls = { nurl: 'javascript:1', burl: grown, lurl: 7 };
    const { bids, warnings } = read([], { seatbid: [{ seat: '\u4e00'.repeat(20), bid: [bid(urls)] }] });
    expect(bids[0]).not.toHaveProperty('burl');
    expect(bids[0]!.facts.notices).toEqual({});
    expect(warnings).toEqual([naming('nurl'), naming('lurl'), naming('burl')]);
  });
});

describe('a response', () => {
  it.each([
    ['', 'noBid'],
    ['{}', 'noBid'],
    ['{"id":"auction-1","seatbid":[]}', 'noBid'],
    ['{"seatbid":[{"bid":[]},{}]}', 'noBid'],
    ['{"nbr":8}', 'noBid'],
    ['<VAST/>', 'unreadable'],
    ['[]', 'unreadable'],
    ['null', 'unreadable'],
    ['{"seatbid":', 'unreadable'],
  ])('%s is %s', (text, kind) => {
    expect(readBidResponse(text, auction).kind).toBe(kind);
  });

  it('states why there is no bid', () => {
    for (const nbr of [0, '8', 17, 501])
      expect(readBidResponse(JSON.stringify({ nbr }), auction)).toMatchObject({
        reason: { code: 'NO_BID', text: naming(`nbr ${nbr}`), nbr: Number(nbr) },
      });
  });

  it('has its best bids per second read, of the first 200', () => {
    const bids = Array.from({ length: 250 }, (_, index) =>
      bid({ id: `${index}`, price: 1 + index, dur: index % 2 ? 10 : 60 }),
    );
    const result = read(bids);
    expect(result.bids.map(({ facts }) => facts.id).slice(0, 3)).toEqual(['199', '197', '195']);
    expect(result.bids).toHaveLength(30);
    expect(new Set(refusedOf(result).map((text) => text.split(' ')[1]))).toEqual(new Set(['OUTBID']));
    expect(result.refused).toHaveLength(50);
    expect(result.warnings).toEqual([naming(250, 200), naming(170, 50)]);
  });

  it('has markup of limited length, whatever its macros add', () => {
    const adm = '${AUCTION_SEAT_ID}'.repeat(2000);
    const seatbid = [{ seat: '\u4e00'.repeat(256), bid: Array.from({ length: 20 }, () => bid({ adm })) }];
    const result = readBidResponse(JSON.stringify({ seatbid }), auction);
    if (result.kind !== 'bids') throw new Error(result.kind);
    expect(result.refused.length).toBeGreaterThan(0);
    expect(result.bids.reduce((sum, one) => sum + one.adm.length, 0)).toBeLessThanOrEqual(2 ** 21);
  });

  it('of another request is read, with a warning', () => {
    expect(read([bid()], { id: 'auction-2' }).warnings).toEqual([naming('auction-2')]);
  });
});

it('the code of a loss follows from the reason of the ad', () => {
  const codes = ['BELOW_FLOOR', 'BREAK_FULL', 'CREATIVE_FAILED', 'EARLY_RETURN', 'constructor'].map(lossCodeOf);
  expect(codes).toEqual([100, 102, 200, 2, 200]);
});

it('reads any JSON without an exception, within its bounds', () => {
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(5, '5', '1', 'https://x.example/${AUCTION_PRICE}', ['a']));
  const names = 'id impid price adm adomain cat crid dur mtype exp nurl burl lurl dealid slotinpod language'.split(' ');
  const oddBid = fc
    .dictionary(fc.constantFrom(...names), odd)
    .chain((more) => fc.constantFrom(more, bid(more), { ...more, price: 5 }));
  const list = <Of>(one: fc.Arbitrary<Of>) => fc.oneof(fc.array(one, { maxLength: 40 }), one, odd);
  const seat = fc.record({ seat: odd, bid: list(oddBid) });
  const response = fc.record({ id: odd, cur: odd, nbr: odd, bidid: odd, seatbid: list(seat) }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.oneof(response, fc.jsonValue()), (json) => {
      const result = readBidResponse(JSON.stringify(json), auction);
      if (result.kind !== 'bids') return;
      expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      expect(result.bids.length).toBeLessThanOrEqual(30);
      expect(result.refused.length).toBeLessThanOrEqual(50);
      for (const { price, facts } of [...result.bids, ...result.refused]) {
        expect(Number.isSafeInteger(price.micros) && price.micros >= 0).toBe(true);
        expect(facts.id.length).toBeLessThanOrEqual(256);
      }
    }),
    lawRuns(300),
  );
});

it('reads JSON of any depth', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const result = readBidResponse(`{"seatbid":[{"bid":[{"price":${deep}},${deep}]}],"cur":${deep}}`, auction);
  expect(result).toMatchObject({ kind: 'bids', bids: [], warnings: [naming('bid 1'), naming('bid 2')] });
});
