// SPDX-License-Identifier: Apache-2.0
// read(write(p)) = p for playlists (law 8).

import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import type { Playlist } from '../channels/playlist.ts';
import { isHttpUrl } from '../channels/urlFaults.ts';
import { finish } from '../time/sliced.ts';
import type { ReadFeed } from './feed.ts';
import { contentsOfFeed, playlistOfFeed } from './playlistOfFeed.ts';
import { readingFeed } from './readFeed.ts';
import { writeMrss } from './writeMrss.ts';

type Written = Partial<Pick<Playlist, 'id' | 'name' | 'type' | 'status' | 'startDate' | 'contents'>>;

function textOf(playlist: Written, measured?: number): string {
  const { id, name } = playlist;
  const { text, faults } = writeMrss({
    title: name || (id ?? 'https://o.example/film.m3u8'),
    link: 'https://m.example/list',
    playlist,
    ...(measured === undefined ? {} : { durationOf: () => measured }),
  });
  expect(faults).toEqual([]);
  return text;
}

function readBack(text: string): unknown {
  const { body, faults } = playlistOfFeed(finish(readingFeed(text)) as ReadFeed);
  expect(faults).toEqual([]);
  return body;
}

/** Characters that XML can express; others are replaced when they are written. */
const text = fc
  .string({ unit: 'binary', maxLength: 20 })
  .filter((one) => !/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(one));
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const seconds = (max: number) =>
  fc.oneof(
    fc.integer({ min: 1, max }),
    fc.integer({ min: 1, max: max * 1000 }).map((millis) => millis / 1000),
    fc.double({ min: 1e-9, max, noNaN: true }),
  );
const cuePoint = (max: number) =>
  fc.record({
    spliceTime: fc.oneof(fc.constantFrom(-1, 0, max), seconds(max)),
    maxDuration: optional(seconds(86_400)),
    maxAds: optional(fc.integer({ min: 1, max: 1000 })),
  });
const url = fc
  .tuple(
    fc.constantFrom('http://o.example/', 'HTTPS://o.example:8443/'),
    text,
    fc.constantFrom('', '.m3u8', '.mpd', '.mp4', '.M3U8?a=%20&b="'),
  )
  .map((parts) => parts.join(''))
  .filter(isHttpUrl);
const item = fc.constantFrom('seconds' as const, 'percent' as const, undefined).chain((spliceType) =>
  fc.record({
    sourceType: fc.constant('url' as const),
    url,
    duration: optional(seconds(1_000_000)),
    spliceType: fc.constant(spliceType),
    cuePoints: optional(fc.array(cuePoint(spliceType === 'percent' ? 100 : 1_000_000), { maxLength: 4 })),
  }),
);
const playlist = fc.record({
  id: fc.constantFrom('list', 'a.b:c'),
  name: optional(fc.oneof(text, fc.constantFrom('', ' ', 'list', ' list', 'a\r\nb'))),
  type: fc.constantFrom('vod2live' as const, 'vod' as const, undefined),
  status: fc.constantFrom('enabled' as const, 'disabled' as const),
  startDate: fc.constantFrom('2026-03-01T20:15:00Z', '2026-03-01T20:15:00.125+01:00', undefined),
  contents: optional(fc.array(item, { maxLength: 3 })),
});

describe('playlistOfFeed', () => {
  it('returns every field of the playlist that was written', () => {
    fc.assert(
      fc.property(playlist, seconds(1_000_000), (one, measured) => {
        expect(readBack(textOf(one as Written, measured))).toEqual(one);
      }),
      lawRuns(500),
    );
  });

  it('returns the fields of a generated playlist, which has neither id nor name', () => {
    const generated = {
      type: 'vod',
      contents: [{ sourceType: 'url', url: 'https://o.example/film.m3u8', spliceType: 'seconds', cuePoints: [] }],
    } as const;
    expect(readBack(textOf(generated))).toEqual(generated);
  });

  it('keeps feeds as they are where nothing would be lost', () => {
    const contents = [
      { sourceType: 'url', url: 'https://o/a.m3u8', cuePoints: [{ spliceTime: 12.345, maxAds: 2 }] },
    ] as const;
    const written = textOf({ contents });
    expect(written.match(/<ad:[^>]*>/g)).toEqual(['<ad:cuepoints>']);
    expect(written.match(/ad:\w+=/g)).toBeNull();
  });

  it('takes HLS before DASH, whichever comes first', () => {
    const feed = finish(
      readingFeed(`<rss><channel><item>
      <media:content url="https://o/a.mpd" duration="5"/><media:content url="https://o/a.m3u8" duration="6"/></item>
      <item><media:content url="https://o/b"/><media:content url="https://o/b.mpd"/></item></channel></rss>`),
    );
    expect(playlistOfFeed(feed as ReadFeed).body).toEqual({
      contents: [
        { sourceType: 'url', url: 'https://o/a.m3u8', duration: 6 },
        { sourceType: 'url', url: 'https://o/b.mpd' },
      ],
    });
  });

  it('knows the line of every field', () => {
    const text = textOf({
      id: 'list',
      name: 'List',
      status: 'enabled',
      contents: [
        { sourceType: 'url', url: 'https://o/a.m3u8' },
        { sourceType: 'url', url: 'https://o/b.m3u8', cuePoints: [{ spliceTime: 1 }, { spliceTime: 2 }] },
      ],
    });
    const { lineOf } = playlistOfFeed(finish(readingFeed(text)) as ReadFeed);
    const lineWith = (piece: string, from = 0) => text.slice(0, text.indexOf(piece, from)).split('\n').length;
    expect(lineOf('/name')).toBe(lineWith('<title>'));
    expect(lineOf('/status')).toBe(lineWith('<ad:playlist'));
    const second = text.indexOf('<item>', text.indexOf('<item>') + 1);
    expect(lineOf('/contents/1/url')).toBe(lineWith('<item>', second));
    expect(lineOf('/contents/1/cuePoints/1/maxAds')).toBe(lineWith('<cuepoint id="2-2"'));
  });
});

const feedOf = (items: string): ReadFeed =>
  finish(
    readingFeed(
      `<rss xmlns:media="http://search.yahoo.com/mrss/" xmlns:ad="urn:midroll:mrss:ad"><channel>\n${items}</channel></rss>`,
      'https://feeds.example/films.xml',
    ),
  ) as ReadFeed;
const both = '<media:content url="a.m3u8" duration="60"/><media:content url="a.mpd" duration="61"/>';

test('the format of the session is preferred, and the other one is used if it is the only one', () => {
  const feed = feedOf(
    `<item>${both}</item><item><media:content url="b.mpd"/></item><item><media:content url="c"/></item>`,
  );
  const urlsOf = (format: 'hls' | 'dash') =>
    contentsOfFeed(feed, format).contents.map(({ url }) => url!.split('/').at(-1));
  expect(urlsOf('hls')).toEqual(['a.m3u8', 'b.mpd', 'c']);
  expect(urlsOf('dash')).toEqual(['a.mpd', 'b.mpd', 'c']);
});

test.each([
  '<media:content url="a.m3u8"/>',
  '<enclosure url="a.m3u8"/>',
  '<ingestUrl>a.m3u8</ingestUrl>',
  '<media:group><media:content url="a.m3u8"/></media:group>',
])('an item with too many contents is read up to the limit, with a warning: %s', (content) => {
  const { warnings, items } = feedOf(`<item>${content.repeat(501)}</item>`);
  expect(items[0]!.contents).toHaveLength(500);
  expect(warnings[0]).toMatchObject({ line: 2, message: expect.stringMatching(/501 .* first 500/) });
});

test('cue points that cannot be used are left out with their item and line', () => {
  const cue = (inner: string) => `<cuepoint>${inner}</cuepoint>`;
  const feed = feedOf(`<item>${both}<ad:item splicetype="percent"/><ad:cuepoints>
${cue('<splicetime>never</splicetime>')}
<cuepoint ad:splicetime="120"/>
<cuepoint ad:splicetime="50"/>
${cue('<splicetime>0</splicetime><duration>0</duration>')}
${cue('<splicetime>-1</splicetime><maxcount>0</maxcount>')}
</ad:cuepoints></item>`);
  const { contents, faults, warnings } = contentsOfFeed(feed, 'hls');
  const media = { sourceType: 'url', url: 'https://feeds.example/a.m3u8', duration: 60 };
  expect(contents).toEqual([{ ...media, spliceType: 'percent', cuePoints: [{ spliceTime: 50 }] }]);
  expect(faults).toEqual([]);
  expect(warnings.map(({ item, line }) => [item, line])).toEqual([3, 4, 6, 7].map((line) => [0, line]));
});

test('an item that cannot be played and a feed without items are faults', () => {
  const { contents, faults } = contentsOfFeed(
    feedOf(`<item>${both}</item>\n<item><media:content url="b.mp4"/></item>`),
    'hls',
  );
  expect([contents, faults]).toEqual([[], [expect.objectContaining({ item: 1, line: 3 })]]);
  expect(contentsOfFeed(feedOf(''), 'hls').faults).toHaveLength(1);
});

test('an item that cannot be played is a fault, however many cue points before it cannot be read', () => {
  const cues = `<item>${both}<ad:cuepoints>${'<cuepoint/>'.repeat(500)}</ad:cuepoints></item>`;
  const { contents, faults } = contentsOfFeed(feedOf(`${cues.repeat(3)}<item><guid>g</guid></item>`), 'hls');
  expect([contents, faults]).toEqual([[], [expect.objectContaining({ item: 3, path: 'url' })]]);
});
