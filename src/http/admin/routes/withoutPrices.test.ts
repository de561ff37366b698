// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { withoutPrices } from './withoutPrices.ts';

const pricing = (price: string) => `<VAST><Ad><Pricing model="CPM" currency="EUR">${price}</Pricing></Ad></VAST>`;
const request = { url: 'https://bid.test/', ms: 40, body: '{"imp":[{"bidfloor":2}]}', curl: 'curl' };
const trace = {
  parameters: { price: '7' },
  breaks: [
    {
      sources: [
        { type: 'openrtb', offered: 1, request, response: { version: '2.6', bytes: 9, raw: '{"price":3}' } },
        { type: 'vast', offered: 1, request, response: { version: '4.2', bytes: 9, raw: pricing('2.50') } },
      ],
      ads: [{ adId: 'a', source: 'exchange', price: { amount: 3, currency: 'EUR' }, seat: 's' }],
    },
  ],
  exchanges: [{ headers: { 'x-openrtb-version': '2.6' }, body: '{}', document: { text: '{"price":3}' }, ms: 1 }],
};

test('without the scope manage, prices, the texts of OpenRTB and prices in VAST are left out', () => {
  const { body: _, curl: __, ...sent } = request;
  for (const scope of ['read', 'operate'] as const)
    expect(withoutPrices(trace, { scope })).toEqual({
      parameters: { price: '7' },
      breaks: [
        {
          sources: [
            { type: 'openrtb', offered: 1, request: sent, response: { version: '2.6', bytes: 9 } },
            { type: 'vast', offered: 1, request, response: { version: '4.2', bytes: 9, raw: pricing('***') } },
          ],
          ads: [{ adId: 'a', source: 'exchange', seat: 's' }],
        },
      ],
      exchanges: [{ headers: { 'x-openrtb-version': '2.6' }, ms: 1 }],
    });
  expect(withoutPrices(trace, { scope: 'manage' })).toBe(trace);
});

test('amounts in sentences are masked, whatever follows other numbers', () => {
  const reason = {
    code: 'OUTBID',
    text: 'It pays 2.50 EUR, not 0.0000001 USD or 1e-7 USD. HTTP 404 NOT found after 12 s.',
  };
  const invalid = (price: string) => [
    `line 3: Pricing must be a number; got ${price}`,
    `bid 1: price must be a number above 0; got ${price}`,
  ];
  const shown = 'It pays *** EUR, not *** USD or *** USD. HTTP 404 NOT found after 12 s.';
  expect(withoutPrices({ reason, warnings: ['9 JPY', ...invalid('2,50')], name: '9 JPY' }, { scope: 'read' })).toEqual({
    reason: { code: 'OUTBID', text: shown },
    warnings: ['*** JPY', ...invalid('***')],
    name: '9 JPY',
  });
});

test.each([
  ['<vast:Pricing currency="USD">\n 12.5 </vast:Pricing>', '<vast:Pricing currency="USD">\n ***</vast:Pricing>'],
  ['<Pricing><![CDATA[9]]></Pricing>', '<Pricing><![CDATA[***]]></Pricing>'],
  ['<PRICING currency="USD">12.5</PRICING>', '<PRICING currency="USD">***</PRICING>'],
  ['<Pricing/>', '<Pricing/>'],
  ['Pricing of ads', 'Pricing of ads'],
])('%s is shown as %s', (raw, shown) => {
  expect(withoutPrices(raw, { scope: 'read' })).toBe(shown);
});
