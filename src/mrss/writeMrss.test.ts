// SPDX-License-Identifier: Apache-2.0
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { ContentItem } from '../channels/playlist.ts';
import { writeMrss } from './writeMrss.ts';

const MEDIA_CONTENT = '{http://search.yahoo.com/mrss/}content';
const AD = 'urn:midroll:mrss:ad';

/** An element as an independent parser reads it: `{namespace}name`, attributes, text, children. */
type Read = { name: string; attributes: Record<string, string>; text: string; children: Read[] };

function parse(xml: string): Read {
  const top: Read = { name: '', attributes: {}, text: '', children: [] };
  const open = [top];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ uri, local, attributes }) => {
    const named = Object.values(attributes).filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns');
    const element: Read = {
      name: uri ? `{${uri}}${local}` : local,
      attributes: Object.fromEntries(named.map(({ name, value }) => [name, value])),
      text: '',
      children: [],
    };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    open.at(-1)!.text += text.trim();
  });
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  return top.children[0]!;
}

const inner = ({ children }: Read, name: string): Read[] => children.filter((child) => child.name === name);
const texts = (element: Read): Record<string, string> =>
  Object.fromEntries(element.children.map(({ name, text }) => [name, text]));

const item: ContentItem = {
  sourceType: 'url',
  url: 'https://o.example/film.m3u8?a=1&b=2',
  duration: 42.42,
  cuePoints: [
    { spliceTime: 0, maxAds: 2, maxDuration: 30 },
    { spliceTime: 21.21, maxDuration: 10.1234 },
    { spliceTime: -1, maxAds: 1, maxDuration: 15 },
  ],
};
const title = 'Räksmörgås & <friends>';
const rssOf = (contents: readonly ContentItem[]): Read => {
  const { text, faults } = writeMrss({ title, link: 'https://m.example/list', playlist: { id: 'list', contents } });
  expect(faults).toEqual([]);
  return parse(text);
};
const itemsOf = (...contents: readonly ContentItem[]): Read[] => inner(rssOf(contents).children[0]!, 'item');

describe('writeMrss', () => {
  it('writes RSS 2.0 with the elements that RSS requires of a channel', () => {
    const rss = rssOf([item]);
    expect(rss).toMatchObject({ name: 'rss', attributes: { version: '2.0' } });
    expect(rss.children.map(({ name }) => name)).toEqual(['channel']);
    const { description, ...others } = texts(rss.children[0]!);
    expect(others).toMatchObject({ title, link: 'https://m.example/list' });
    expect(description).toContain(title);
  });

  it('writes an item with its media for each content item', () => {
    const [written] = itemsOf(item);
    expect(texts(written!)).toMatchObject({ guid: 'list-1', title });
    expect(inner(written!, 'guid')[0]!.attributes).toEqual({ isPermaLink: 'false' });
    const attributes = { url: item.url, type: 'application/x-mpegURL', duration: '42.42', medium: 'video' };
    expect(inner(written!, MEDIA_CONTENT)).toEqual([{ name: MEDIA_CONTENT, attributes, text: '', children: [] }]);
  });

  it('writes cue points as unprefixed children: position in milliseconds, duration in seconds', () => {
    const [written] = itemsOf(item);
    const [list] = inner(written!, `{${AD}}cuepoints`);
    expect(list!.children.map((cue) => [cue.name, cue.attributes.id, texts(cue)])).toEqual([
      ['cuepoint', '1-1', { splicetime: '0', maxcount: '2', duration: '30' }],
      ['cuepoint', '1-2', { splicetime: '21210', duration: '10.1234' }],
      ['cuepoint', '1-3', { splicetime: '-1', maxcount: '1', duration: '15' }],
    ]);
  });

  it('omits unknown values', () => {
    const [written] = itemsOf({ sourceType: 'url', url: 'https://o.example/x' });
    expect(written!.children.map(({ name }) => name)).toEqual(['guid', 'title', MEDIA_CONTENT]);
    expect(inner(written!, MEDIA_CONTENT)[0]!.attributes).toEqual({ url: 'https://o.example/x', medium: 'video' });
  });

  it('keeps the order of many items', () => {
    const urls = Array.from({ length: 1000 }, (_, index) => `https://o.example/${index}.m3u8`);
    const written = itemsOf(...urls.map((url) => ({ ...item, url })));
    expect(written.map((one) => texts(one).guid)).toEqual(urls.map((_, index) => `list-${index + 1}`));
    expect(written.map((one) => inner(one, MEDIA_CONTENT)[0]!.attributes.url)).toEqual(urls);
  });
});
