// SPDX-License-Identifier: Apache-2.0
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { type Feed, type FeedItem, writeFeed } from './writeFeed.ts';

const MEDIA = 'http://search.yahoo.com/mrss/';
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

const item: FeedItem = {
  guid: 'list-1',
  title: 'Räksmörgås & <friends>',
  url: 'https://o.example/film.m3u8?a=1&b=2',
  type: 'application/x-mpegURL',
  duration: 42.42,
  cuePoints: [
    { id: '1-1', spliceTime: 0, maxAds: 2, duration: 30 },
    { id: '1-2', spliceTime: 21_210, duration: 10.1234 },
    { id: '1-3', spliceTime: -1, maxAds: 1, duration: 15 },
  ],
};
const feed: Feed = { title: 'List', link: 'https://m.example/list', description: 'Its items', items: [item] };
const channelOf = (one: Feed): Read => parse(writeFeed(one)).children[0]!;

describe('writeFeed', () => {
  it('writes RSS 2.0 with the elements that RSS requires of a channel', () => {
    const rss = parse(writeFeed(feed));
    expect(rss).toMatchObject({ name: 'rss', attributes: { version: '2.0' } });
    expect(rss.children.map(({ name }) => name)).toEqual(['channel']);
    expect(texts(rss.children[0]!)).toMatchObject({
      title: 'List',
      link: 'https://m.example/list',
      description: 'Its items',
    });
  });

  it('writes an item with its media for each content item', () => {
    const [written] = inner(channelOf(feed), 'item');
    expect(texts(written!)).toMatchObject({ guid: 'list-1', title: 'Räksmörgås & <friends>' });
    expect(inner(written!, 'guid')[0]!.attributes).toEqual({ isPermaLink: 'false' });
    expect(inner(written!, `{${MEDIA}}content`)).toEqual([
      {
        name: `{${MEDIA}}content`,
        attributes: {
          url: 'https://o.example/film.m3u8?a=1&b=2',
          type: 'application/x-mpegURL',
          duration: '42.42',
          medium: 'video',
        },
        text: '',
        children: [],
      },
    ]);
  });

  it('writes cue points as unprefixed children: position in milliseconds, duration in seconds', () => {
    const [written] = inner(channelOf(feed), 'item');
    const [list] = inner(written!, `{${AD}}cuepoints`);
    expect(list!.children.map((cue) => [cue.name, cue.attributes.id, texts(cue)])).toEqual([
      ['cuepoint', '1-1', { splicetime: '0', maxcount: '2', duration: '30' }],
      ['cuepoint', '1-2', { splicetime: '21210', duration: '10.1234' }],
      ['cuepoint', '1-3', { splicetime: '-1', maxcount: '1', duration: '15' }],
    ]);
  });

  it('omits unknown values', () => {
    const bare: FeedItem = { guid: 'g', title: 't', url: 'https://o.example/x', cuePoints: [] };
    const [written] = inner(channelOf({ ...feed, items: [bare] }), 'item');
    expect(written!.children.map(({ name }) => name)).toEqual(['guid', 'title', `{${MEDIA}}content`]);
    expect(inner(written!, `{${MEDIA}}content`)[0]!.attributes).toEqual({
      url: 'https://o.example/x',
      medium: 'video',
    });
  });

  it('keeps the order of many items', () => {
    const items = Array.from({ length: 1000 }, (_, index) => ({ ...item, guid: `g-${index}` }));
    const guids = inner(channelOf({ ...feed, items }), 'item').map((one) => texts(one).guid);
    expect(guids).toEqual(items.map(({ guid }) => guid));
  });
});
