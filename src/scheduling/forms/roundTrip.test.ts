// SPDX-License-Identifier: Apache-2.0
// readSchedule(writeSchedule(entries)) = entries, for everything that a form carries.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../test/lawRuns.ts';
import { isHttpUrl } from '../../channels/urlFaults.ts';
import { type Entry, isPlaylistSource } from '../schedule.ts';
import { readSchedule } from './readSchedule.ts';
import { writeSchedule } from './writeSchedule.ts';

const source = { id: 'news', name: 'News & more', link: 'https://m.example/schedule' };
const writable = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]+$/u;

const text = fc
  .oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ unit: fc.constantFrom(...';=\\,"\n\r<&/ a') }))
  .map((one) => one.trim())
  .filter((one) => writable.test(one));
const seconds = fc.oneof(fc.integer({ min: 1, max: 86_400 }), fc.double({ min: 1e-6, max: 86_400, noNaN: true }));
const whole = fc.integer({ min: 1, max: 9999 });
const url = fc
  .tuple(fc.constantFrom('https://o.example/', 'HTTP://o.example:8080/a;b?c="'), text, fc.constantFrom('', '.m3u8'))
  .map((parts) => parts.join(''))
  .filter(isHttpUrl);
const start = fc.oneof(
  fc.constantFrom('2026-12-01T18:00Z', '2026-12-01T18:00:30.125+01:00', '2026-12-01T18:00:00+00:00'),
  fc.integer({ min: 0, max: 4e9 }).map((second) => new Date(second * 1000).toISOString().replace('.000Z', 'Z')),
);
const list = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 1, maxLength: 3 });
const texts = fc
  .array(fc.tuple(fc.constantFrom('de', 'fr-CA', 'zh-Hant'), text), { minLength: 1, maxLength: 3 })
  .map((pairs) => Object.fromEntries(pairs));
const withSystem = fc.record(
  { value: text, system: fc.constantFrom('MPAA', 'FSK', 'a=b;c') },
  { requiredKeys: ['value'] },
);
const cue = fc.record(
  { spliceTime: fc.oneof(fc.constantFrom(-1, 0), seconds), maxDuration: seconds, maxAds: whole },
  { requiredKeys: ['spliceTime'] },
);
const rule = fc.record(
  { every: seconds, firstAfter: seconds, notInLast: seconds, maxDuration: seconds, maxAds: whole, maxPerHour: whole },
  { requiredKeys: ['every'] },
);
const guide = {
  title: text,
  titles: texts,
  subtitle: text,
  description: text,
  descriptions: texts,
  language: fc.constantFrom('de', 'en'),
  categories: list(text),
  ratings: list(withSystem),
  images: list(fc.record({ url, width: whole, height: whole }, { requiredKeys: ['url'] })),
  season: whole,
  episode: whole,
  episodeNumbers: list(fc.record({ value: text, system: fc.constantFrom('tms', 'imdb.com') })),
  year: fc.integer({ min: 1900, max: 2100 }),
  isRepeat: fc.boolean(),
  isHidden: fc.boolean(),
};
const asset = fc.record({ url, in: seconds, out: seconds }, { requiredKeys: ['url'] });
const entry: fc.Arbitrary<Omit<Entry, 'id'>> = fc.record(
  {
    ...guide,
    start,
    source: fc.oneof(asset, fc.record({ playlistId: text })),
    duration: seconds,
    upid: fc.record({
      type: fc.constantFrom('adId' as const, 'uri' as const),
      value: fc.constantFrom('ABCD1234567H', 'urn:a;b=c\\d'),
    }),
    bumpers: fc.record({ intro: url, outro: url }, { requiredKeys: [] }),
    breaks: fc.oneof(fc.constant('markers' as const), fc.array(cue, { maxLength: 3 }), rule),
  },
  { requiredKeys: ['source'] },
);
const entries = fc
  .array(fc.tuple(fc.constantFrom('id', 'a b', 'https://o.example/1'), entry), { maxLength: 4 })
  .map((drafts) => drafts.map(([id, draft], index): Entry => ({ ...draft, id: `${id}-${index}` })));

const carried = {
  csv: () => true,
  json: () => true,
  xmltv: (one: Entry) => one.start !== undefined,
  mrss: (one: Entry) => !isPlaylistSource(one.source),
};

describe('writeSchedule', () => {
  it.each(['csv', 'json', 'xmltv', 'mrss'] as const)('writes %s that is read as the same entries', (form) => {
    fc.assert(
      fc.property(entries, (written) => {
        const { text: document, leftOut } = writeSchedule(written, form, source);
        const read = readSchedule(document, form);
        expect(read).toMatchObject({ errors: [], errorCount: 0, notices: [] });
        expect(read.entries).toEqual(written.filter(carried[form]));
        expect(leftOut).toEqual(written.filter((one) => !carried[form](one)).map(({ id }) => id));
        expect([read.places.length, read.skipped]).toEqual([read.entries.length, 0]);
      }),
      lawRuns(300),
    );
  });
});
