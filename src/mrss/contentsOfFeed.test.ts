// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { contentsOfFeed } from './contentsOfFeed.ts';
import type { ReadFeed } from './feed.ts';
import { readFeed } from './readFeed.ts';

const feedOf = (items: string): ReadFeed =>
  readFeed(
    `<rss xmlns:media="http://search.yahoo.com/mrss/" xmlns:ad="urn:midroll:mrss:ad"><channel>\n${items}</channel></rss>`,
    'https://feeds.example/films.xml',
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
  expect(contents).toEqual([
    {
      sourceType: 'url',
      url: 'https://feeds.example/a.m3u8',
      duration: 60,
      spliceType: 'percent',
      cuePoints: [{ spliceTime: 50 }],
    },
  ]);
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
