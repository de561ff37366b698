// SPDX-License-Identifier: Apache-2.0

import { describe, expect, it, test } from 'vitest';
import { cpuMillis } from '../../test/cpuMillis.ts';
import { naming } from '../../test/naming.ts';
import { finish } from '../time/sliced.ts';
import type { ReadFeed } from './feed.ts';
import { MAX_FEED_LENGTH, readingFeed } from './readFeed.ts';

const URL_OF_FEED = 'https://feeds.example/films/list.xml?page=1';
const MEDIA = 'http://search.yahoo.com/mrss/';

const rss = (inner: string, namespaces = `xmlns:media="${MEDIA}" xmlns:ad="urn:midroll:mrss:ad"`): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${namespaces}><channel><title>List</title>\n${inner}\n</channel></rss>`;

function read(text: string): ReadFeed {
  const feed = finish(readingFeed(text, URL_OF_FEED));
  if ('refused' in feed) throw new Error(feed.refused);
  return feed;
}
const readItem = (inner: string, namespaces?: string) => read(rss(`<item>${inner}</item>`, namespaces));
const itemOf = (inner: string, namespaces?: string) => readItem(inner, namespaces).items[0]!;
const hls = { url: 'https://o.example/film.m3u8', type: 'hls' };
const FILM = `url="${hls.url}"`;

describe('contents', () => {
  test.each([
    ['another prefix', `<m:content ${FILM}/>`, `xmlns:m="${MEDIA}"`],
    ['no trailing slash', `<media:content ${FILM}/>`, 'xmlns:media="http://search.yahoo.com/mrss"'],
    ['https', `<media:content ${FILM}/>`, 'xmlns:media="https://search.yahoo.com/mrss/"'],
    ['the RSS Advisory Board', `<x:content ${FILM}/>`, 'xmlns:x="http://www.rssboard.org/media-rss"'],
    ['a default namespace on the element', `<content xmlns="${MEDIA}" ${FILM}/>`, ''],
    ['a default namespace of the document', `<content ${FILM}/>`, `xmlns="${MEDIA}"`],
    ['an unbound prefix', `<media:content ${FILM}/>`, ''],
    ['a group', `<media:group><media:content ${FILM}/></media:group>`, undefined],
  ])('are found with %s', (_, inner, namespaces) => {
    expect(itemOf(inner, namespaces).contents).toEqual([hls]);
  });

  it('are not elements of the same name in other namespaces', () => {
    const inner = `<a:content url="https://o.example/other.m3u8"/><media:content ${FILM}/>`;
    const namespaces = `xmlns:media="${MEDIA}" xmlns:a="http://www.w3.org/2005/Atom"`;
    expect(itemOf(inner, namespaces).contents).toEqual([hls]);
  });

  test.each([
    ['application/x-mpegURL', 'film', 'hls'],
    ['application/vnd.apple.mpegurl; charset=utf-8', 'film', 'hls'],
    ['audio/mpegurl', 'film', 'hls'],
    ['application/dash+xml', 'film', 'dash'],
    ['video/mp4', 'film.m3u8', 'hls'],
    ['application/x-mpegURL', 'film.MPD?a=b.mp4', 'dash'],
    ['', 'film.m3u8', 'hls'],
    ['', 'film.mp4/master.m3u8#t=1', 'hls'],
    ['', 'film', undefined],
    ['application/octet-stream', 'film', undefined],
  ])('of type "%s" at %s are %s', (type, path, expected) => {
    const { contents } = itemOf(`<media:content url="https://o.example/${path}" type="${type}"/>`);
    expect(contents).toEqual([{ url: `https://o.example/${path}`, ...(expected ? { type: expected } : {}) }]);
  });

  test.each([
    ['url="https://o.example/film.mp4" type="video/mp4"', 'progressive'],
    ['url="https://o.example/film.mp4" type="application/x-mpegURL"', 'progressive'],
    ['url="https://o.example/film" type="video/webm"', 'progressive'],
    ['url="https://o.example/poster.jpg?w=1"', 'image'],
    ['url="https://o.example/poster" medium="image"', 'image'],
    ['url="https://o.example/song.mp3"', 'neither'],
    ['type="video/mp4"', 'URL'],
  ])('with %s are a fault of the item', (attributes, word) => {
    const { items, faults } = read(rss(`<item/>\n<item>\n<media:content ${attributes}/></item>`));
    expect(items[1]!.contents).toEqual([]);
    expect(faults).toEqual([
      expect.objectContaining({ item: 0, line: 3, path: 'url' }),
      { item: 1, line: 4, path: 'url', message: naming(word) },
    ]);
  });

  it('that cannot be used are warnings next to one that can', () => {
    const all = ['a.jpg', 'b.mp4', 'c.mpd'].map((url) => `<media:content url="${url}"/>`).join('');
    const { items, faults, warnings } = readItem(all);
    expect(items[0]!.contents).toEqual([{ url: 'https://feeds.example/films/c.mpd', type: 'dash' }]);
    expect([faults.length, warnings.map(({ message }) => message)]).toEqual([0, [naming('a.jpg'), naming('b.mp4')]]);
  });

  it('are ordered: defaults first, samples last', () => {
    const { contents } = itemOf(`<media:group><media:content url="/sample.m3u8" expression="sample" isDefault="true"/>
      <media:content url="//cdn.example/a.m3u8"/><media:content url="../b.mpd" isDefault="true"/></media:group>`);
    expect(contents.map(({ url }) => url)).toEqual([
      'https://feeds.example/b.mpd',
      'https://cdn.example/a.m3u8',
      'https://feeds.example/sample.m3u8',
    ]);
  });

  it('are enclosures when there is nothing else to play', () => {
    const enclosure = '<enclosure url="e.m3u8" type="application/x-mpegURL" length="0"/>';
    expect(itemOf(`${enclosure}<media:content url="a.mp4"/>`).contents).toEqual([
      { url: 'https://feeds.example/films/e.m3u8', type: 'hls' },
    ]);
    expect(itemOf(`${enclosure}<media:content url="${hls.url}"/>`).contents).toEqual([hls]);
  });

  it('never contain the credentials of the feed', () => {
    const feed = finish(
      readingFeed(rss('<item><media:content url="a.m3u8"/></item>'), 'https://me:secret@feeds.example/f.xml'),
    );
    expect((feed as ReadFeed).items[0]!.contents[0]!.url).toBe('https://feeds.example/a.m3u8');
  });

  test.each([
    ['90', 90],
    ['90.25', 90.25],
    ['01:30:05.5', 5405.5],
    ['2:05', 125],
    ['1e-7', 1e-7],
    ['0', undefined],
    ['-1', undefined],
    ['1:75', undefined],
    ['an hour', undefined],
    ['', undefined],
  ])('with the duration "%s" last %s seconds', (text, expected) => {
    const { items, warnings } = readItem(`<media:content ${FILM} duration="${text}"/>`);
    expect(items[0]!.contents[0]!.duration).toBe(expected);
    expect(warnings.length).toBe(expected === undefined ? 1 : 0);
  });
});

describe('cue points', () => {
  const withCues = (inner: string, namespaces?: string) =>
    readItem(`<media:content url="a.m3u8"/>${inner}`, namespaces);

  it('are read from any namespace, by local names', () => {
    const inner = `<x:CuePoints><x:cuepoint><x:splicetime>12500</x:splicetime><x:maxcount>2</x:maxcount>
      <x:duration>00:00:30</x:duration></x:cuepoint></x:CuePoints>`;
    const { items, faults } = withCues(inner, `xmlns:media="${MEDIA}" xmlns:x="urn:other"`);
    expect(items[0]!.cuePoints).toEqual([{ line: 3, spliceTime: 12.5, maxAds: 2, maxDuration: 30 }]);
    expect(faults).toEqual([]);
  });

  it('may be bare numbers, clock times, attributes or in a group', () => {
    const { items } = withCues(
      `<cuepoints><cuepoint>5000</cuepoint><cuepoint>00:01:30.5</cuepoint><cuepoint splicetime="-1" duration="15"/></cuepoints>
       <media:group><ad:cuepoints><cuepoint><splicetime><![CDATA[ 7 ]]></splicetime></cuepoint></ad:cuepoints></media:group>`,
    );
    expect(items[0]!.cuePoints!.map(({ line: _, ...cue }) => cue)).toEqual([
      { spliceTime: 5 },
      { spliceTime: 90.5 },
      { spliceTime: -1, maxDuration: 15 },
      { spliceTime: 0.007 },
    ]);
  });

  it('that cannot be read are faults with their lines', () => {
    const { items, faults } = withCues(`<ad:cuepoints>
      <cuepoint><splicetime>soon</splicetime></cuepoint>
      <cuepoint><splicetime>1</splicetime>
        <maxcount>two</maxcount><duration>long</duration></cuepoint>
      <cuepoint/><cuepoint>-2</cuepoint></ad:cuepoints>`);
    expect(faults.map(({ item, line, path }) => [item, line, path])).toEqual([
      [0, 4, 'cuePoints/0/spliceTime'],
      [0, 6, 'cuePoints/1/maxDuration'],
      [0, 6, 'cuePoints/1/maxAds'],
      [0, 7, 'cuePoints/2/spliceTime'],
      [0, 7, 'cuePoints/3/spliceTime'],
    ]);
    expect(items[0]!.cuePoints).toEqual([{ line: 5, spliceTime: 0.001 }]);
  });

  it('are limited to 500 in an item', () => {
    const cues = (count: number) => `<ad:cuepoints>${'<cuepoint>1</cuepoint>'.repeat(count)}</ad:cuepoints>`;
    expect(withCues(cues(500)).items[0]!.cuePoints).toHaveLength(500);
    expect(withCues(cues(501)).faults).toMatchObject([{ item: 0, path: 'cuePoints', message: naming('501') }]);
    const listed = withCues(`<cuepoints>${'1,'.repeat(100_000)}</cuepoints>`);
    expect(listed.faults).toMatchObject([{ path: 'cuePoints', message: naming(500, 'more than 5000') }]);
  });
});

describe('feeds for Google Ad Manager', () => {
  const namespaces = `xmlns:media="${MEDIA}" xmlns:dfpvideo="http://api.google.com/dfpvideo" xmlns:atom="http://www.w3.org/2005/Atom"`;
  const ingest = (url: string, type = '') =>
    `<dfpvideo:ingestUrl${type && ` type="${type}"`}>\n ${url}\n</dfpvideo:ingestUrl>`;
  const [m3u8, mpd, mp4] = ['https://o.example/7.m3u8', 'https://o.example/7.mpd', 'https://o.example/7.mp4'] as const;
  const media = (url: string, duration = '1800') => `<media:content url="${url}" duration="${duration}"/>`;
  const page = media('https://tv.example/watch/7');
  const film = 'https://o.example/7';
  const hlsMedia = { url: m3u8, type: 'hls', duration: 1800 };
  const dashMedia = { url: mpd, type: 'dash', duration: 1800 };

  test.each([
    ['a page of the video beside it', `${page}${ingest(m3u8, 'application/x-mpegURL')}`, [hlsMedia]],
    ['both formats', `${ingest(m3u8)}${ingest(mpd)}${page}`, [hlsMedia, dashMedia]],
    ['only a type', `${page}${ingest(film, 'application/dash+xml')}`, [{ ...dashMedia, url: film }]],
    ['a file that is no manifest', `${ingest(mp4, 'video/mp4')}${media(m3u8)}`, [hlsMedia]],
    ['the duration of a file', `${media(mp4, '00:30:00')}${ingest(m3u8)}`, [hlsMedia]],
    ['the same media', `${media(m3u8)}${ingest(m3u8)}`, [hlsMedia]],
    ['another format', `<media:group>${media(mpd)}</media:group>${ingest(m3u8)}`, [hlsMedia, dashMedia]],
    ['another namespace', `<x:INGESTURL xmlns:x="urn:other">${m3u8}</x:INGESTURL>${page}`, [hlsMedia]],
    ['no media:content', ingest(m3u8), [{ url: m3u8, type: 'hls' }]],
  ])('have the media of ingestUrl, with %s', (_, inner, contents) => {
    const { items, faults } = readItem(inner, namespaces);
    expect(items[0]!.contents).toEqual(contents);
    expect(faults).toEqual([]);
  });

  test.each([
    ['0,300,600', [0, 300, 600]],
    [' 10.5 ;\n20 , 00:10:00.00 ', [10.5, 20, 600]],
    ['00:05:22.00, -1', [322, -1]],
    ['0', [0]],
    [' ', undefined],
  ])('may list cue points as text: "%s"', (text, positions) => {
    const list = `<dfpvideo:cuepoints>${text}</dfpvideo:cuepoints>`;
    const { items, faults } = readItem(`${ingest(m3u8)}${list}`, namespaces);
    expect(items[0]!.cuePoints?.map(({ spliceTime }) => spliceTime)).toEqual(positions);
    expect(faults).toEqual([]);
  });

  it('have faults with their lines', () => {
    const { items, faults } = readItem(`${page}\n<cuepoints>5,soon,-3</cuepoints>`, namespaces);
    expect(faults.map(({ line, path }) => [line, path])).toEqual([
      [4, 'cuePoints/1/spliceTime'],
      [4, 'cuePoints/2/spliceTime'],
    ]);
    expect(items[0]!.cuePoints).toEqual([{ line: 4, spliceTime: 5 }]);
  });

  it('have ids, and items that are left out', () => {
    const item = (state: string) =>
      `<item>${ingest(m3u8)}<dfpvideo:contentId> ${state} </dfpvideo:contentId><media:status state="${state}"/></item>\n`;
    const { items, warnings } = read(rss(['active', 'deleted', 'Blocked'].map(item).join(''), namespaces));
    expect(items.map(({ guid }) => guid)).toEqual(['active']);
    expect(warnings.map(({ message }) => message)).toEqual([naming('media:status'), naming('media:status')]);
  });

  it('have notices of what is not used', () => {
    const item = `<item>${ingest(m3u8)}<dfpvideo:keyvalues key="a" value="b" type="string"/>
      <dfpvideo:closedCaptionUrl language="en">https://o.example/en.vtt</dfpvideo:closedCaptionUrl></item>`;
    const { warnings } = read(rss(`<atom:link rel="next" href="?page=2"/>${item}${item}`, namespaces));
    expect(warnings.map(({ message }) => message)).toEqual([
      naming('2 dfpvideo:keyvalues'),
      naming('2 dfpvideo:closedCaptionUrl'),
      naming('page=2'),
    ]);
    expect(readItem(`${page}${ingest(m3u8)}`, namespaces).warnings).toEqual([
      { item: 0, line: 3, message: naming('https://tv.example/watch/7', 'ingestUrl') },
    ]);
  });
});

test('titles and guids may be CDATA, entities or of Media RSS', () => {
  const { title, items } = read(
    rss(`<item><title><![CDATA[ Fish & <chips> ]]></title><guid isPermaLink="false"> f-1 </guid></item>
        <item><media:title>Only &amp;c.</media:title></item><item><title/><media:title>Second</media:title></item><item/>`),
  );
  expect(title).toBe('List');
  expect(items.map((item) => [item.title, item.guid])).toEqual([
    ['Fish & <chips>', 'f-1'],
    ['Only &c.', undefined],
    ['Second', undefined],
    [undefined, undefined],
  ]);
});

describe('texts that are not feeds', () => {
  const atom = '<?xml version="1.0"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title></feed>';
  test.each([
    ['nothing', '', 'EMPTY', 1, 'empty'],
    ['white space', ' \n\n', 'EMPTY', 1, 'empty'],
    ['JSON', '\n{"contents": []}', 'NOT_RSS', 2, 'JSON'],
    ['an HTML page', '<!DOCTYPE html><html><body>Not found<br></body></html>', 'NOT_RSS', 1, 'HTML'],
    ['an XHTML page', '<?xml version="1.0"?>\n<html xmlns="x"/>', 'NOT_RSS', 2, 'HTML'],
    ['Atom', atom, 'NOT_RSS', 2, 'Atom'],
    ['an HLS playlist', '#EXTM3U\n#EXT-X-VERSION:3', 'NOT_RSS', 1, 'HLS'],
    ['a DASH manifest', '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"/>', 'NOT_RSS', 1, 'DASH'],
    ['other XML', '<a/>', 'NOT_RSS', 1, 'RSS'],
    ['text', 'Service unavailable', 'NOT_XML', 1, 'Service'],
    ['a truncated feed', rss('<item>').slice(0, -20), 'NOT_XML', 3, 'end'],
    ['an entity declaration', '<!DOCTYPE rss [<!ENTITY a "b">]><rss>&a;</rss>', 'NOT_XML', 1, 'subset'],
    ['RSS without a channel', '<rss version="2.0"/>', 'NO_CHANNEL', 1, 'channel'],
    ['1001 items', rss('\n<item/>'.repeat(1001)), 'TOO_MANY_ITEMS', 1004, '1001'],
    ['deep nesting', rss(`${'<a>'.repeat(70)}${'</a>'.repeat(70)}`), 'NOT_XML', 3, '64'],
  ])('%s', (_, text, code, line, word) => {
    const refusal = finish(readingFeed(text)) as { refused: string; advice?: string };
    expect(refusal).toMatchObject({ code, line });
    expect(`${refusal.refused} ${refusal.advice}`).toEqual(naming(word));
  });

  it('includes 10 MB, which are not parsed', () => {
    for (const text of [rss(`<item>${'x'.repeat(10 << 20)}</item>`), '<'.repeat(10 << 20), ' '.repeat(10 << 20)])
      expect(finish(readingFeed(text))).toMatchObject({ code: 'TOO_LONG', line: 1 });
  });

  it('costs no more for hostile text than for elements', () => {
    const costOf = (piece: string): number => {
      const text = rss(piece.repeat(MAX_FEED_LENGTH / 8 / piece.length));
      return cpuMillis(() => expect(finish(readingFeed(text))).toBeDefined());
    };
    const usual = costOf('<item><media:content url="a.jpg"/></item>');
    // Quadratic time would be ten thousand times as much.
    for (const piece of ['<a/>', '<a>', '&', '<a b="', ' x:y="1"', '<!--', '<![CDATA[x]]>', '<a b=c d>', '\n'])
      expect(costOf(piece)).toBeLessThan(50 * usual);
  });
});
