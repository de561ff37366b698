// SPDX-License-Identifier: Apache-2.0
// The search for sessions as a client sees it: what a query means, and which queries are invalid.
import { expect, test } from 'vitest';
import type { SearchedSession, SessionSearch } from '../../src/platform/history/rules/searchSessions.ts';
import { millis } from '../../src/time/units.ts';
import { opened } from '../opened.ts';
import { offAir, startAdmin } from '../servers/adminServer.ts';
import { clientOf } from './client.ts';

const START = Date.parse('2026-03-01T20:00:00.000Z');
const next = { living: '17', ended: { openedAt: START, id: 'last' } };
let searches: SessionSearch[];
const found: SearchedSession = {
  session: {
    ...{
      id: 'ann',
      channelId: 'one',
      tenant: 't',
      format: 'dash',
      openedAt: millis(START),
      parameters: { viewer: 'ann' },
    },
    viewer: { address: '192.0.2.7', userAgent: 'Player/1' },
  },
  ...{ seenAt: millis(START + 60_000), hasEnded: true },
  breaks: [
    { id: '1-0', startsAt: START, duration: 30, status: 'filled', filled: 30, shown: 2, skipped: 0 },
    {
      id: '1-1',
      startsAt: START + 900_000,
      duration: 60,
      status: 'empty',
      reason: 'noAds',
      filled: 0,
      shown: 0,
      skipped: 3,
    },
  ],
};

const searchSessions = async (search: SessionSearch) => {
  searches.push(search);
  return { items: [search.filter.breaks ? { ...found, matching: found.breaks.slice(1) } : found], next };
};
const admin = await opened(startAdmin({ onAir: { ...offAir, searchSessions } }));

async function search(query: string) {
  searches = [];
  const { status, json, headers } = await clientOf(admin.app, admin.key)('GET', `/api/v2/sessions?${query}`);
  return { status, json: json as never, headers, filter: searches[0]?.filter, search: searches[0] };
}

test('a session states how its breaks were filled', async () => {
  const { json, headers } = await search('');
  expect(json).toEqual([
    {
      ...{ id: 'ann', channel: 'one', state: 'ended', format: 'dash', address: '192.0.2.7', userAgent: 'Player/1' },
      ...{
        openedAt: '2026-03-01T20:00:00.000Z',
        insertion: 'stitched',
        lastSeenAt: '2026-03-01T20:01:00.000Z',
        endedAt: '2026-03-01T20:01:00.000Z',
      },
      ...{ parameters: { viewer: 'ann' }, breaks: 2, outcomes: { filled: 1, partial: 0, empty: 1 } },
      ...{ ads: { shown: 2, skipped: 3 }, breakSeconds: 90, adSeconds: 30, fill: 0.333 },
    },
  ]);
  const { search: second } = await search(`cursor=${headers['x-next-cursor']}&limit=5&state=active`);
  expect(second).toMatchObject({ cursor: next, limit: 5, state: 'active' });
});

test('empty breaks of a channel around a time are one request', async () => {
  const { json, filter } = await search('channel=one&at=2026-03-01T20:15:00Z&outcome=empty');
  expect(filter).toMatchObject({
    ...{ channelId: 'one', from: START + 600_000, to: START + 1_200_000, breaks: { status: 'empty' } },
  });
  expect(json[0]).toMatchObject({
    matching: [{ id: '1-1', startsAt: '2026-03-01T20:15:00.000Z', outcome: 'empty', reason: 'noAds', adSeconds: 0 }],
  });
});

test('the channels with a label', async () => {
  const call = clientOf(admin.app, admin.key);
  for (const [id, label] of [
    ['one', 'Sports'],
    ['two', 'News'],
  ])
    await call('POST', '/api/v2/channels', { id, labels: [label] });
  expect((await search('label=sports')).filter).toMatchObject({ channelIds: ['one'] });
  expect((await search('label=sports,news')).filter).toMatchObject({ channelIds: ['one', 'two'] });
  expect((await call('GET', '/api/v2/sessions?label=unused')).json).toEqual([]);
});

test('other filters', async () => {
  const { filter } = await search(
    'id=an&parameter=a%3Db%3Dc&address=%3A%3A1&userAgent=tv&reason=noAds&from=1000&to=2000',
  );
  expect(filter).toMatchObject({
    ...{ idPrefix: 'an', parameter: { name: 'a', value: 'b=c' }, address: '::1', userAgent: 'tv' },
    ...{ breaks: { reason: 'noAds' }, from: 1_000_000, to: 2_000_000 },
  });
});

test.each([
  ['at=soon', '/at'],
  ['at=1000&from=900', '/at'],
  ['from=2000&to=1000', '/to'],
  ['parameter=name', '/parameter'],
  ['outcome=good', '/outcome'],
  ['state=gone', '/state'],
  ['limit=101', '/limit'],
  ['cursor=x', '/cursor'],
  [`cursor=${Buffer.from('[2,3,"x"]').toString('base64url')}`, '/cursor'],
  [`cursor=${Buffer.from('["1; drop",3,"x"]').toString('base64url')}`, '/cursor'],
])('%s is invalid', async (query, path) => {
  const { status, json } = await search(query);
  expect([status, (json as { data: { dataPath: string }[] }).data[0]!.dataPath]).toEqual([422, path]);
});
