// SPDX-License-Identifier: Apache-2.0
// Random bodies, made of field names of the API and of arbitrary values: accepted completely or rejected with the reason,
// never a 5xx. Accepted bodies are returned unchanged.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { schemaFaults } from '../../../src/http/admin/request/validate.ts';
import { channelResponse } from '../../../src/http/contract/channelContract.ts';
import { playlistResponse } from '../../../src/http/contract/playlistContract.ts';
import { keyResponse } from '../../../src/platform/access/contract/accessContract.ts';
import { adSourceResponse } from '../../../src/platform/adSources/contract/adSourceContract.ts';
import { systemResponse } from '../../../src/platform/systems/contract/systemContract.ts';
import { lawRuns } from '../../lawRuns.ts';
import { opened } from '../../opened.ts';
import { startAdmin } from '../../servers/adminServer.ts';
import { createDatabase } from '../../servers/postgresDatabase.ts';
import { clientOf } from '../client.ts';

// PostgreSQL rejects some text that SQLite accepts.
const postgres = await opened(createDatabase());
const admin = await opened(startAdmin({ databaseUrl: postgres.url }));
const call = clientOf(admin.app, admin.key);

const words =
  'id name type status state contents sourceType url duration spliceType cuePoints spliceTime maxDuration maxAds startDate apiKey playlistId adSource headers params timeoutMs playlistSize tracking systemId settings email overlapSeconds adSteps sources adRules adHooks creatives title template clientCertificate key __v tenant constructor toString'.split(
    ' ',
  );
const values = [
  'url',
  'placeholder',
  'percent',
  'enabled',
  'vod',
  'vod2live',
  'ssai',
  'vast',
  'house',
  'server',
  'https://x/a.m3u8',
  '42.42',
  '2026-01-01T00:00:00Z',
  'a@b',
  '',
  0,
  1,
  50,
  0.5,
  -1,
  1e300,
  null,
  true,
  '\u0000',
  '\ud800',
  '🎬',
  '../x',
];

const { body } = fc.letrec((tie) => ({
  leaf: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom<unknown>(...values) },
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  body: fc.dictionary(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...words) }, fc.string()), tie('value'), {
    maxKeys: 6,
    noNullPrototype: true,
  }),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: tie('leaf') },
    tie('list'),
    tie('body'),
  ),
}));

const item = fc.record(
  {
    sourceType: fc.constantFrom('url', 'placeholder'),
    url: fc.webUrl({ withQueryParameters: true, withFragments: true }),
    duration: fc.oneof(fc.double({ min: 0.001, max: 1e6, noNaN: true }), fc.constantFrom('42.42', '7')),
    spliceType: fc.constantFrom('seconds', 'percent'),
    cuePoints: fc.array(
      fc.record(
        {
          spliceTime: fc.double({ min: 0, max: 200, noNaN: true }),
          maxDuration: fc.double({ min: 0.01, max: 600, noNaN: true }),
          maxAds: fc.integer({ min: 1, max: 9 }),
        },
        { requiredKeys: ['spliceTime', 'maxDuration'] },
      ),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ['sourceType'] },
);
const playlist = fc.record(
  {
    name: fc.string({ unit: 'binary' }),
    type: fc.constantFrom('vod', 'vod2live'),
    status: fc.constantFrom('enabled', 'disabled'),
    contents: fc.array(item, { maxLength: 4 }),
  },
  { requiredKeys: [] },
);

const schemas = {
  playlists: playlistResponse,
  'ad-sources': adSourceResponse,
  channels: channelResponse,
  systems: systemResponse,
  keys: keyResponse,
};

test('every body gets a response, and accepted ones have the documented shape', async () => {
  const resource = fc.constantFrom('playlists', 'ad-sources', 'channels', 'systems', 'keys');
  await fc.assert(
    fc.asyncProperty(resource, fc.oneof(body, playlist), async (name, given) => {
      const { status, json, text } = await call('POST', `/api/v2/${name}`, given);
      expect([201, 400, 409, 422], text).toContain(status);
      if (status === 201) expect(schemaFaults(schemas[name], json)).toEqual([]);
      else expect(json).toMatchObject({ code: status, name: expect.stringMatching(/Error$/) });
    }),
    lawRuns(400),
  );
});

test('an accepted playlist is returned unchanged, and an empty PATCH changes nothing', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(playlist, async (given) => {
      const { status, json } = await call('POST', '/api/v2/playlists', given);
      const sent = JSON.parse(JSON.stringify(given)) as typeof given;
      if (status !== 201) {
        expect(status).toBe(422);
        return;
      }
      accepted += 1;
      const contents = sent.contents?.map((one) =>
        one.duration === undefined ? one : { ...one, duration: Number(one.duration) },
      );
      const { id } = json;
      const read = (await call('GET', `/api/v2/playlists/${id}`)).json;
      expect(read).toMatchObject({ status: 'disabled', ...sent, ...(contents ? { contents } : {}) });
      const {
        modifiedAt: _at,
        modifiedBy: _by,
        __v: version,
        ...patched
      } = (await call('PATCH', `/api/v2/playlists/${id}`, {})).json;
      expect({ ...patched, __v: version - 1 }).toEqual(read);
      const feed = await call('GET', `/api/v2/playlists/${id}?format=mrss&content=https://x/y.mpd`);
      expect([200, 422]).toContain(feed.status);
    }),
    lawRuns(150),
  );
  expect(accepted).toBeGreaterThan(30);
});
