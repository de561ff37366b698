// SPDX-License-Identifier: Apache-2.0
// The table in docs/ads.md lists exactly the fields of a trace, and traces have no others.
import { expect, test } from 'vitest';
import type { BreakRecord } from '../../src/ads/record/breakRecord.ts';
import { sessionTrace } from '../../src/http/contract/airContract.ts';
import { keepBreak, recordOf, tracedOf, traceSession } from '../../src/playback/view/trace.ts';
import { documentedFields, tracedFields } from '../tracedFields.ts';

type Schema = { readonly type?: string; readonly properties?: Record<string, Schema>; readonly items?: Schema };

function fieldsOf({ type, properties = {}, items }: Schema, path = ''): string[] {
  if (type === 'array') return fieldsOf(items!, `${path}[]`);
  const inner = Object.entries(properties).flatMap(([name, schema]) =>
    fieldsOf(schema, path ? `${path}.${name}` : name),
  );
  return inner.length === 0 ? [path] : inner;
}

test('docs/ads.md lists every field of a trace', () => {
  expect(documentedFields().filter((field) => field !== 'breaks[]')).toEqual(fieldsOf(sessionTrace as Schema));
});

const request = { url: 'https://ads.test/', ms: 12, status: 200 };
const response = { version: '4.2', bytes: 3, raw: 'abc' };
const hook = { hook: 'ads', ms: 3, status: 200, changes: ['Removed an ad.'] } as const;
/** A break of a channel with steps. */
const record: BreakRecord = {
  id: '1-0',
  startsAt: '2026-03-01T20:00:00.000Z',
  duration: 30,
  status: 'partial',
  sources: [
    { step: 0, source: 'partner', type: 'vast', asked: { duration: 30 }, request, response, offered: 1 },
    { step: 1, source: 'exchange', type: 'openrtb', offered: 0, reason: { code: 'RATE_REACHED', text: 'Its rate.' } },
  ],
  adsHook: hook,
  warnings: [],
  ads: [
    {
      ...{ adId: '1-0-0', duration: 20, outcome: 'stitched', startsAt: '2026-03-01T20:00:00.000Z' },
      offer: {
        ...{ step: 0, source: 'partner', price: { micros: 2_500_000, currency: 'EUR' } },
        traits: { advertisers: ['brand.test'], categories: [], creatives: ['c'], language: 'en' },
        bid: { id: 'b', seat: 's', notices: { win: 'https://bid.test/win?price=2.5' } },
      },
    },
  ],
  slate: 10,
};
const viewer = { address: '', userAgent: '' };
const session = { id: 's', channelId: 'c', tenant: 't', format: 'hls', openedAt: 0, parameters: {}, viewer };

test('a break of a channel with steps shows its sources and offers, living and past', async () => {
  const none = { ofSession: async () => [] };
  const traceOf = (sessions: object, past?: object) =>
    traceSession({ sessions, past, deliveries: none, confirmations: none } as never, 's', 't');
  const living = await traceOf({ find: async () => ({ session }), breaks: async () => [record] });
  const kept = JSON.parse(JSON.stringify(keepBreak(record, { deliveries: [], confirmations: [] })));
  const past = { find: async () => ({ session, seenAt: 0 }), breaks: async () => [tracedOf(kept)] };
  const ended = await traceOf({ find: async () => undefined, breaks: async () => [] }, past);
  expect(ended?.breaks).toEqual(living?.breaks);
  expect(recordOf(kept)).toEqual(record);
  const [{ sources, adsHook, ads } = {}] = living?.breaks ?? [];
  expect(sources).toMatchObject([
    { source: 'partner', requested: { duration: 30 }, request: { curl: expect.stringContaining(request.url) } },
    { source: 'exchange', reason: { code: 'RATE_REACHED' } },
  ]);
  expect([adsHook, ads?.[0]]).toMatchObject([
    hook,
    { source: 'partner', step: 0, price: { amount: 2.5, currency: 'EUR' }, advertisers: ['brand.test'], seat: 's' },
  ]);
  const documented = new Set(documentedFields());
  expect(tracedFields(living).filter((field) => !documented.has(field))).toEqual([]);
});
