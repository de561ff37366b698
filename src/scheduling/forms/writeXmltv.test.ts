// SPDX-License-Identifier: Apache-2.0
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../test/lawRuns.ts';
import type { XmlElement } from '../../xml/element.ts';
import { readXml } from '../../xml/read.ts';
import { type Guide, type GuideProgramme, guideJson, writeXmltv } from './writeXmltv.ts';

/** What an element contains in this order, and its attributes: `+` at least one, `*` any number, `?` at most one. */
const model: Readonly<
  Record<string, { readonly content: string; readonly attributes: string; readonly required?: string }>
> = {
  tv: { content: 'channel* programme*', attributes: 'generator-info-name' },
  channel: { content: 'display-name+ icon* url*', attributes: 'id', required: 'id' },
  programme: {
    content:
      'title+ sub-title* desc* credits? date? category* keyword* language? orig-language? length? icon* url* country* episode-num* video? audio? previously-shown? premiere? last-chance? new? subtitles* rating* star-rating* review* image*',
    attributes: 'start stop channel',
    required: 'start stop channel',
  },
  rating: { content: 'value icon*', attributes: 'system' },
  icon: { content: '', attributes: 'src width height', required: 'src' },
  'previously-shown': { content: '', attributes: 'start channel' },
  length: { content: '#PCDATA', attributes: 'units', required: 'units' },
  'episode-num': { content: '#PCDATA', attributes: 'system' },
  ...Object.fromEntries(
    ['display-name', 'title', 'sub-title', 'desc', 'category', 'date', 'value'].map((name) => [
      name,
      { content: '#PCDATA', attributes: /date|value/.test(name) ? '' : 'lang' },
    ]),
  ),
};

function expectValid({ name, children, attributes, text }: XmlElement): void {
  const { content, attributes: allowed, required = '' } = model[name] ?? { content: 'none', attributes: '' };
  const pattern = content === '#PCDATA' ? '' : content.replace(/([\w-]+)([*+?]?) ?/g, '(?:<$1>)$2');
  expect(children.map((child) => `<${child.name}>`).join(''), name).toMatch(new RegExp(`^${pattern}$`));
  if (content !== '#PCDATA') expect(text.trim(), name).toBe('');
  expect(allowed.split(' ')).toEqual(expect.arrayContaining(Object.keys(attributes)));
  expect(Object.keys(attributes)).toEqual(expect.arrayContaining(required.split(' ').filter(Boolean)));
  for (const child of children) expectValid(child);
}

function parsed(text: string): XmlElement {
  const read = readXml(text);
  if (!('root' in read)) throw new Error(read.reason);
  return read.root;
}

const startsAt = Date.UTC(2026, 11, 1, 18);
const full: GuideProgramme = {
  id: 'a',
  startsAt,
  endsAt: startsAt + 1_800_400,
  contentSeconds: 1500,
  title: 'News & more',
  titles: { de: 'Nachrichten' },
  subtitle: 'Evening',
  description: 'All',
  descriptions: { de: 'Alles' },
  language: 'en',
  categories: ['News'],
  ratings: [{ system: 'MPAA', value: 'PG' }, { value: '12' }],
  images: [{ url: 'https://i.example/a.jpg', width: 1920, height: 1080 }, { url: 'https://i.example/b.jpg' }],
  season: 2,
  episode: 5,
  episodeNumbers: [{ system: 'tms', value: 'EP1' }],
  year: 2026,
  isRepeat: true,
};
const channel = {
  id: 'news.example',
  displayNames: [{ lang: 'en', text: 'News' }, { text: 'N' }],
  icon: { url: 'https://i.example/n.png' },
};

const anyText = fc.string({ unit: 'binary', maxLength: 8 });
const loneSurrogate = fc.constantFrom('\uD800', '\u0000', '\uFFFE', ']]>', '<a>');
const text = fc.oneof(anyText, loneSurrogate);
const texts = fc.dictionary(fc.constantFrom('de', 'fr'), text);
const programme: fc.Arbitrary<GuideProgramme> = fc.record(
  {
    id: text,
    startsAt: fc.integer({ min: 0, max: 4e12 }),
    endsAt: fc.integer({ min: 0, max: 4e12 }),
    contentSeconds: fc.double({ min: 0, max: 1e5, noNaN: true }),
    title: text,
    titles: texts,
    subtitle: text,
    description: text,
    descriptions: texts,
    language: text,
    categories: fc.array(text),
    ratings: fc.array(fc.record({ value: text, system: text }, { requiredKeys: ['value'] })),
    images: fc.array(fc.record({ url: text, width: fc.nat(), height: fc.nat() }, { requiredKeys: ['url'] })),
    season: fc.integer({ min: 1, max: 99 }),
    episode: fc.integer({ min: 1, max: 9999 }),
    episodeNumbers: fc.array(fc.record({ value: text, system: text }, { requiredKeys: ['value'] })),
    year: fc.integer({ min: 1, max: 9999 }),
    isRepeat: fc.boolean(),
    isHidden: fc.boolean(),
  },
  { requiredKeys: ['id', 'startsAt', 'endsAt'] },
);
const guide: fc.Arbitrary<Guide> = fc.record({
  channel: fc.record({ id: text, displayNames: fc.array(fc.record({ text, lang: text }, { requiredKeys: ['text'] })) }),
  programmes: fc.array(programme, { maxLength: 3 }),
});

describe('writeXmltv', () => {
  it('writes documents that are valid, whatever they contain', () => {
    fc.assert(
      fc.property(guide, (one) => expectValid(parsed(writeXmltv(one)))),
      lawRuns(200),
    );
  });

  it('writes every field', () => {
    const written = writeXmltv({ channel, programmes: [full] });
    expectValid(parsed(written));
    expect(written).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<tv generator-info-name="Midroll">
<channel id="news.example">
<display-name lang="en">News</display-name>
<display-name>N</display-name>
<icon src="https://i.example/n.png"/>
</channel>
<programme start="20261201180000 +0000" stop="20261201183000 +0000" channel="news.example">
<title lang="en">News &amp; more</title>
<title lang="de">Nachrichten</title>
<sub-title lang="en">Evening</sub-title>
<desc lang="en">All</desc>
<desc lang="de">Alles</desc>
<date>2026</date>
<category>News</category>
<length units="seconds">1500</length>
<icon src="https://i.example/a.jpg" width="1920" height="1080"/>
<icon src="https://i.example/b.jpg"/>
<episode-num system="xmltv_ns">1.4.</episode-num>
<episode-num system="onscreen">S02E05</episode-num>
<episode-num system="tms">EP1</episode-num>
<previously-shown/>
<rating system="MPAA">
<value>PG</value>
</rating>
<rating>
<value>12</value>
</rating>
</programme>
</tv>
`);
  });

  it.each([
    [{ season: 2 }, ['1..', 'S02']],
    [{ episode: 5 }, ['.4.', 'E05']],
    [{ season: 1, episode: 1, episodeNumbers: [{ value: 'Pilot' }] }, ['0.0.', 'Pilot']],
  ])('numbers %j', (fields, numbers) => {
    const { id } = full;
    const written = writeXmltv({ channel, programmes: [{ id, startsAt, endsAt: startsAt + 1000, ...fields }] });
    const [, programmeElement] = parsed(written).children;
    const found = programmeElement?.children.filter(({ name }) => name === 'episode-num');
    expect(found?.map((number) => number.text)).toEqual(numbers);
  });
});

describe('guideJson', () => {
  it('has the same programmes with times in ISO 8601', () => {
    const { startsAt: _, endsAt: __, ...fields } = full;
    expect(guideJson({ channel, programmes: [{ ...full, isHidden: false }] })).toEqual({
      channel,
      programmes: [{ ...fields, start: '2026-12-01T18:00:00.000Z', end: '2026-12-01T18:30:00.400Z' }],
    });
  });
});
