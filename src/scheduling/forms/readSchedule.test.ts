// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it, test } from 'vitest';
import { growthOf, LINEAR } from '../../../test/growthOf.ts';
import { naming } from '../../../test/naming.ts';
import type { Sliced } from '../../time/sliced.ts';
import { readingSchedule, readSchedule, type ScheduleForm } from './readSchedule.ts';
import { writingSchedule } from './writeSchedule.ts';

const csv = (...lines: readonly string[]) => readSchedule(lines.join('\r\n'), 'csv');
const tv = (...programmes: readonly string[]) => `<tv>\n${programmes.join('\n')}\n</tv>`;
const programme = (content = '', attributes = 'start="20261201180000 +0100" channel="news"') =>
  `<programme ${attributes}>${content}</programme>`;
const url = '<url>https://o.example/a.m3u8</url>';
const source = { url: 'https://o.example/a.m3u8' };
const media = '<media:content url="https://o.example/a.m3u8" duration="1800"/>';

describe('CSV', () => {
  it('reads every column', () => {
    const { entries, errors, notices } = csv(
      'id,start,title,subtitle,description,url,in,out,duration,breaks,language,categories,rating,season,episode,year,isRepeat,isHidden,image',
      'a,2026-12-01T18:00:00+01:00,News,Evening,"All, of ""it""\r\ntoday",https://o.example/a.m3u8,10,00:30:10.5,1800,300/60;00:15:00/90/2,en,News;Local,MPAA=PG;12,1,5,2026,yes,no,https://i.example/a.jpg 1920x1080',
    );
    expect({ errors, notices }).toEqual({ errors: [], notices: [] });
    expect(entries).toEqual([
      {
        id: 'a',
        start: '2026-12-01T18:00:00+01:00',
        title: 'News',
        subtitle: 'Evening',
        description: 'All, of "it"\r\ntoday',
        source: { url: 'https://o.example/a.m3u8', in: 10, out: 1810.5 },
        duration: 1800,
        breaks: [
          { spliceTime: 300, maxDuration: 60 },
          { spliceTime: 900, maxDuration: 90, maxAds: 2 },
        ],
        language: 'en',
        categories: ['News', 'Local'],
        ratings: [{ system: 'MPAA', value: 'PG' }, { value: '12' }],
        season: 1,
        episode: 5,
        year: 2026,
        isRepeat: true,
        isHidden: false,
        images: [{ url: 'https://i.example/a.jpg', width: 1920, height: 1080 }],
      },
    ]);
  });

  it.each([
    [',', '\n'],
    [';', '\r\n'],
    ['\t', '\n'],
  ])('detects the delimiter %j, and knows columns by other names', (delimiter, end) => {
    const rows = [
      ['Start_Time', 'Program', 'Video URL', 'Colour', 'colour'],
      ['2026-12-01T18:00:00Z', 'News, at 6', source.url, 'red', ''].map((cell) => `"${cell}"`),
      ['', '', '', '', ''],
    ];
    const { entries, errors, notices } = readSchedule(
      `\uFEFF${rows.map((row) => row.join(delimiter)).join(end)}`,
      'csv',
    );
    expect(errors).toEqual([]);
    expect(entries).toEqual([
      { id: '20261201T1800Z-news-at-6', start: '2026-12-01T18:00:00Z', title: 'News, at 6', source },
    ]);
    expect(notices).toEqual(['Colour', 'colour'].map((name) => ({ line: 1, message: naming(name) })));
  });

  it.each([
    ['', undefined],
    ['none', []],
    ['markers', 'markers'],
    ['-1', [{ spliceTime: -1 }]],
    ['600//3', [{ spliceTime: 600, maxAds: 3 }]],
    ['every 600', { every: 600 }],
    [
      'Every 10:00 first 300 last 120 duration 60 ads 3 hourly 4',
      { every: 600, firstAfter: 300, notInLast: 120, maxDuration: 60, maxAds: 3, maxPerHour: 4 },
    ],
  ])('reads the breaks %j', (written, breaks) => {
    const { entries, errors } = csv('url,breaks', `${source.url},${written}`);
    expect(errors).toEqual([]);
    expect(entries[0]?.breaks).toEqual(breaks);
  });

  it('leaves out the lines that have errors, and names their fields', () => {
    const { entries, places, errors, errorCount, skipped } = csv(
      'id,start,url,duration,breaks,season,playlistId',
      'a,2026-12-01 18:00,https://o.example/a.m3u8,,,,',
      'b,,ftp://o.example/b,soon,300/x,one,',
      'c,,,,,,',
      'd,,https://o.example/d.m3u8,,,,list',
      'e,,https://o.example/e.m3u8,,,,,,more',
      '',
      '"f",,"https://o.example/f.m3u8',
      'g,,https://o.example/g.m3u8,60,,,',
      'x"y",,https://o.example/h.m3u8,,,,',
      '"h" ,,https://o.example/h.m3u8,,,,',
      '',
      'i,,,,"300/',
      '60",,list',
      'g,,https://o.example/g.m3u8,,,,',
      'j,,,,every 5 every 6,,list',
    );
    expect(entries.map(({ id }) => id)).toEqual(['g', 'i']);
    expect(places.map(({ line }) => line)).toEqual([9, 13]);
    expect(skipped).toBe(10);
    expect(errors.map((error) => [error.line, error.field])).toEqual([
      [2, 'start'],
      [3, 'url'],
      [3, 'duration'],
      [3, 'breaks'],
      [3, 'season'],
      [4, 'url'],
      [5, 'playlistId'],
      [6, undefined],
      [8, undefined],
      [10, undefined],
      [11, undefined],
      [16, 'breaks'],
      [15, 'id'],
    ]);
    expect(errorCount).toBe(13);
    expect(errors[0]).toMatchObject({ message: naming('ISO 8601', '2026-12-01 18:00') });
    expect(errors[12]).toMatchObject({ message: naming('9') });
  });

  it.each(['', ' \r\n', 'id,title\r\na,News', '"id,url\r\n'])('refuses %j, which has no columns', (text) => {
    const { entries, errors } = readSchedule(text, 'csv');
    expect([entries, errors]).toEqual([[], [expect.objectContaining({ line: 1 })]]);
  });
});

describe('XMLTV', () => {
  it('reads programmes of others', () => {
    const { entries, errors, notices } = readSchedule(
      `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n${tv(
        '<channel id="news"><display-name>News</display-name></channel>',
        programme(
          `<title lang="de">Nachrichten</title><title lang="en">News</title><sub-title>Abend</sub-title>
          <desc lang="en">All of it</desc><date>20260301</date><category lang="de">Info</category><category lang="en">Fact</category>
          <icon src="https://i.example/a.jpg" width="16" height="9"/><icon src="b.jpg"/>
          <url>https://www.example/news</url>${url}
          <episode-num system="xmltv_ns"> 1 . 4/10 . 0/1</episode-num><episode-num>S02E05</episode-num>
          <previously-shown start="2025"/><rating system="FSK"><value>12</value></rating><rating/>`,
          'start="20261201180000 +0100" stop="20261201173000 +0000" channel="news"',
        ),
      )}`,
      'xmltv',
    );
    expect(errors).toEqual([]);
    expect(notices).toEqual([{ line: 5, field: 'images', message: naming('b.jpg') }]);
    expect(entries).toEqual([
      {
        id: '20261201T1700Z-nachrichten',
        start: '2026-12-01T18:00:00+01:00',
        duration: 1800,
        source,
        title: 'Nachrichten',
        titles: { en: 'News' },
        subtitle: 'Abend',
        descriptions: { en: 'All of it' },
        language: 'de',
        categories: ['Info'],
        images: [{ url: 'https://i.example/a.jpg', width: 16, height: 9 }],
        season: 2,
        episode: 5,
        episodeNumbers: [{ system: 'xmltv_ns', value: '1 . 4/10 . 0/1' }, { value: 'S02E05' }],
        year: 2026,
        isRepeat: true,
        ratings: [{ system: 'FSK', value: '12' }],
      },
    ]);
  });

  it('reads a length in place of an end, and times without a zone as UTC with a notice', () => {
    const { entries, notices } = readSchedule(
      tv(programme(`${url}<length units="minutes">25</length>`, 'start="202612011800"')),
      'xmltv',
    );
    expect(entries).toMatchObject([{ start: '2026-12-01T18:00:00Z', duration: 1500 }]);
    expect(notices).toEqual([{ line: 2, field: 'start', message: naming('UTC') }]);
  });

  it('leaves out the programmes that have errors', () => {
    const { entries, errors } = readSchedule(
      tv(
        programme(),
        programme('<url>a.m3u8</url>'),
        programme(url, 'start="20261301180000" channel="news"'),
        programme(url, 'start="20261201180000 CET" channel="news"'),
        programme(url, 'start="20261201180000" stop="20261201180000" channel="news"'),
        programme(url),
      ),
      'xmltv',
    );
    expect(entries).toHaveLength(1);
    expect(errors.map((error) => [error.line, error.field])).toEqual([
      [2, 'url'],
      [3, 'url'],
      [4, 'start'],
      [5, 'start'],
      [6, 'stop'],
    ]);
  });

  it('reads one of several channels if it is named', () => {
    const text = tv(programme(url), programme(url, 'start="20261201190000 +0000" channel="film"'));
    expect(readSchedule(text, 'xmltv')).toMatchObject({ entries: [], errors: [{ line: 3 }] });
    expect(readSchedule(text, 'xmltv', { channelId: 'film' }).entries).toMatchObject([
      { start: '2026-12-01T19:00:00Z' },
    ]);
    expect(readSchedule(text, 'xmltv', { channelId: 'x' }).errors).toMatchObject([{ line: 1, message: naming('x') }]);
  });
});

describe('MRSS', () => {
  const feed = (...items: readonly string[]) =>
    `<rss xmlns:media="http://search.yahoo.com/mrss/" xmlns:dcterms="http://purl.org/dc/terms/"><channel>\n${items
      .map((item) => `<item>${item}</item>`)
      .join('\n')}\n</channel></rss>`;
  it('reads items in order, with and without a start', () => {
    const { entries, errors } = readSchedule(
      feed(
        `<guid>a</guid><title>News</title><description>All</description>${media}
         <dcterms:valid>start=2026-12-01T18:00:00Z; end=2026-12-02T18:00:00Z; scheme=W3C-DTF</dcterms:valid>`,
        `<guid>https://o.example/1</guid><title>Film</title>${media}<cuepoints>300, 900</cuepoints>`,
        `<title>Film</title>${media}<item xmlns="urn:midroll:mrss:ad" splicetype="percent"/><cuepoints>50</cuepoints>`,
      ),
      'mrss',
    );
    expect(errors).toEqual([]);
    expect(entries).toEqual([
      { id: 'a', title: 'News', description: 'All', start: '2026-12-01T18:00:00Z', duration: 1800, source },
      { id: 'film', title: 'Film', duration: 1800, source, breaks: [{ spliceTime: 300 }, { spliceTime: 900 }] },
      { id: 'film-2', title: 'Film', duration: 1800, source, breaks: [{ spliceTime: 900 }] },
    ]);
  });

  it('leaves out the items that have errors', () => {
    const { entries, errors } = readSchedule(
      feed(
        '<title>News</title>',
        `${media}<dcterms:valid>start=soon</dcterms:valid>`,
        `${media}<cuepoints>soon</cuepoints>`,
        media,
      ),
      'mrss',
    );
    expect(entries).toHaveLength(1);
    expect(errors).toMatchObject(
      [
        { line: 2, field: 'url' },
        { line: 4, field: 'cuePoints/0/spliceTime', message: naming('soon') },
        { line: 3, field: 'start', message: naming('soon') },
      ].sort((a, b) => a.line - b.line),
    );
  });
});

describe('JSON', () => {
  it('reads a list of entries, or an object with entries and settings', () => {
    const entries = [
      { id: 'a', source },
      { title: 'News', start: '2026-12-01T18:00:30Z', source: { playlistId: 'list' } },
    ];
    const read = [entries[0], { ...entries[1], id: '20261201T180030Z-news' }];
    expect(readSchedule(JSON.stringify(entries), 'json')).toMatchObject({ entries: read, errors: [] });
    const settings = { fillerPlaylistId: 'filler', rules: [] };
    expect(readSchedule(JSON.stringify({ ...settings, entries }), 'json')).toMatchObject({ entries: read, settings });
  });

  it('names what is no entry by its path', () => {
    const text = JSON.stringify({
      entries: [1, null, { id: 'a', source }, { source: {} }, { id: 1, source }, { id: 'a', source }],
    });
    const { entries, errors } = readSchedule(text, 'json');
    expect(entries).toEqual([{ id: 'a', source }]);
    expect(errors.map(({ field }) => field)).toEqual([
      '/entries/0',
      '/entries/1',
      '/entries/3/source',
      '/entries/4/id',
      '/entries/5/id',
    ]);
  });

  it('parses each entry on its own, and counts lines', () => {
    const entry = (id: string) => `{"id":"${id}",\n "title":"],}\\"","source":{"url":"${source.url}"}}`;
    const read = readSchedule(
      `{"breaks":"markers","entries":[\n${entry('a')},\n{"id":tru},\n ${entry('b')}]}\n`,
      'json',
    );
    expect(read.entries.map(({ id, title }) => [id, title])).toEqual([
      ['a', '],}"'],
      ['b', '],}"'],
    ]);
    expect([read.places, read.skipped, read.settings]).toEqual([
      [
        { line: 2, field: '/entries/0' },
        { line: 5, field: '/entries/2' },
      ],
      1,
      { breaks: 'markers' },
    ]);
    expect(read.errors).toMatchObject([{ line: 4, field: '/entries/1' }]);
  });

  it.each([
    ...['', '{', '1', '{"entries":1}', '[1', '[] 2', '{"entries":[]', '{"entries":[]}]', '{"a":x,"entries":[]}'],
    ...['{entries:[]}', '{"entries":[{"source":{"url":"a"}}'],
  ])('refuses %j', (text) => {
    expect(readSchedule(text, 'json')).toMatchObject({ entries: [], errors: [{ line: 1 }] });
  });
});

test.each([
  ['csv', `url\n${`${source.url}\n`.repeat(5000)}`],
  ['xmltv', tv(programme(url).repeat(5000))],
  ['mrss', `<rss><channel>${`<item>${media}</item>`.repeat(5000)}</channel></rss>`],
  ['json', `[${new Array(5000).fill(JSON.stringify({ source, description: 'a'.repeat(600) }))}]`],
] as const)('%s is read, and written, in slices of at most 100 entries', (form, text) => {
  const stepsOf = <Result>(work: Sliced<Result>): { steps: number; result: Result } => {
    for (let steps = 1; ; steps += 1) {
      const { done, value } = work.next();
      if (done) return { steps, result: value };
    }
  };
  const { steps, result } = stepsOf(readingSchedule(text, form));
  expect(result.entries).toHaveLength(5000);
  expect(steps).toBeGreaterThan(50);
  expect(stepsOf(writingSchedule(result.entries, form, { id: 'a', name: 'A', link: '' })).steps).toBeGreaterThan(50);
});

test('long lines of csv are read in slices of a few lines', () => {
  const work = readingSchedule(`url\n${`${source.url}${','.repeat(60_000)}\n`.repeat(100)}`, 'csv');
  let steps = 0;
  while (!work.next().done) steps += 1;
  expect(steps).toBeGreaterThan(15);
});

describe('ids', () => {
  it('stay the same for entries in another order, and leave out what is not ASCII', () => {
    const titles = ['Ünder – Söil!', 'Новости', 'x'.repeat(100), ''];
    const ids = csv('title,url,start', ...titles.map((title) => `${title},https://o.example/film/index.m3u8,`)).entries;
    expect(ids.map(({ id }) => id)).toEqual(['under-soil', 'entry', 'x'.repeat(40), 'film']);
  });

  it('are not those of later entries', () => {
    const { entries } = csv('id,title,url', ...[',a', ',a', 'a,b', 'a-2,b'].map((row) => `${row},${source.url}`));
    expect(entries.map(({ id }) => id)).toEqual(['a-3', 'a-4', 'a', 'a-2']);
  });
});

describe('hostile documents', () => {
  const ownElement = (categories: string) => `<entry xmlns="urn:midroll:mrss:ad" categories="${categories}"/>`;
  const many: readonly (readonly [string, ScheduleForm, (size: number) => string])[] = [
    ['lines with errors', 'csv', (size) => `url\n${'x\n'.repeat(size)}`],
    ['equal titles', 'csv', (size) => `title,url\n${`a,${source.url}\n`.repeat(size)}`],
    ['columns', 'csv', (size) => `url${',x'.repeat(size)}\n${source.url}${',y'.repeat(size)}\n`],
    ['cells without a name', 'csv', (size) => `url\n${source.url}${','.repeat(size)}\n`],
    ['quotes in a cell', 'csv', (size) => `url,title\n${source.url},"${'""'.repeat(size)}"\n`],
    [
      'quotes without an end',
      'csv',
      (size) => `url,title\n${`${source.url},"${'""'.repeat(100)}\n`.repeat(size / 100)}`,
    ],
    ['separators', 'csv', (size) => `url,categories\n${source.url},"${'\\;;'.repeat(size / 100)}"\n`.repeat(100)],
    ['programmes', 'xmltv', (size) => tv(programme(`<title>a</title>${url}`).repeat(size))],
    ['items', 'mrss', (size) => `<rss><channel>${`<item>${media}</item>`.repeat(size)}</channel></rss>`],
    ['programmes with errors', 'xmltv', (size) => tv('<programme/>'.repeat(size))],
    ['elements of a programme', 'xmltv', (size) => tv(programme(`${url}${'<title lang="a"/>'.repeat(size)}`))],
    ['blanks in a time', 'xmltv', (size) => tv(programme(url, `start="20261201180000${' '.repeat(size)}x"`))],
    ['blanks in a number', 'xmltv', (size) => tv(programme(`${url}<episode-num>1${' '.repeat(size)}x</episode-num>`))],
    ['fields of an own element', 'xmltv', (size) => tv(programme(`${url}${ownElement(`\\a;${'b='.repeat(size)}`)}`))],
    ['items with errors', 'mrss', (size) => `<rss><channel>${'<item/>'.repeat(size)}</channel></rss>`],
    ['values that are no entries', 'json', (size) => `[0${',0'.repeat(size)}]`],
  ];

  it.each(many)('cost as much as their length: %s', (_, form, textOf) => {
    expect(
      growthOf((size) => {
        const text = textOf(size);
        return () => readSchedule(text, form);
      }),
    ).toBeLessThan(LINEAR);
  });

  it.each(many.filter(([name]) => /errors|no entries/.test(name)))('list at most 500 errors: %s', (_, form, textOf) => {
    const { errors, errorCount } = readSchedule(textOf(5000), form);
    expect(errors).toHaveLength(500);
    expect(errorCount).toBeGreaterThanOrEqual(5000);
  });

  test.each([
    ['xmltv', `<!DOCTYPE tv [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><tv><programme>&b;</programme></tv>`],
    ['mrss', `<!DOCTYPE rss [<!ENTITY a "aaaa">]><rss><channel><title>&a;</title></channel></rss>`],
    ['xmltv', `<tv>${'<a>'.repeat(100_000)}`],
    ['xmltv', `<tv>${'<a/>'.repeat(600_001)}</tv>`],
    ['xmltv', '<rss/>'],
    ['xmltv', '{}'],
    ['mrss', '<tv/>'],
    ['json', '['.repeat(1_000_000)],
    ['json', `{"a":"${'x'.repeat(1 << 20)}","entries":[]}`],
    ['json', `{${Array.from({ length: 1_000_000 }, (_, at) => `"${at}":0`)},"entries":[]}`],
    ['csv', 'x'.repeat((32 << 20) + 1)],
    ['csv', ','.repeat(1_000_000)],
    ['csv', `url\n${',\n'.repeat(200_000)}`],
    ['csv', '\n'.repeat(1_000_000)],
  ] as const)('are refused as a whole: %s', (form, text) => {
    expect(readSchedule(text, form)).toMatchObject({ entries: [], errorCount: 1 });
  });

  it.each([
    ['csv', 'url\n', 'x\n', ''],
    ['csv', 'playlistId\n', 'x\n', ''],
    ['xmltv', '<tv>', '<programme/>', '</tv>'],
    ['json', '[', '0,', '0]'],
    ['json', '[', '{"source":{"url":""}},', '0]'],
  ] as const)('are read up to 50,000 entries, with errors or without: %s', (form, start, entry, end) => {
    const { entries, errorCount } = readSchedule(`${start}${entry.repeat(60_000)}${end}`, form);
    const errors = form === 'xmltv' ? 100_001 : 50_001;
    expect([entries.length, errorCount]).toEqual(entries.length > 0 ? [50_000, 1] : [0, errors]);
  });
});
