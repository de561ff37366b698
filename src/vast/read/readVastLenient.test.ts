// SPDX-License-Identifier: Apache-2.0
// Mistakes that ad servers make: they cause a warning, and never lose the ad.
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { readVastOrThrow as read } from '../../../test/vast/readVastOrThrow.ts';
import type { Linear } from '../response.ts';
import type { VastWarning } from '../vastWarning.ts';

const seconds = (value: number) => value * 705_600_000;

const vast = (...content: string[]): string => `<VAST version="4.2">\n${content.join('\n')}\n</VAST>`;
const inLine = (...content: string[]): string => `<Ad id="1"><InLine>${content.join('')}</InLine></Ad>`;
const creative = (...content: string[]): string =>
  inLine(`<Creatives><Creative>${content.join('')}</Creative></Creatives>`);
const linearOf = (content: string, attributes = ''): { linear: Linear; warnings: readonly VastWarning[] } => {
  const { ads, warnings } = read(vast(creative(`<Linear ${attributes}>${content}</Linear>`)));
  return { linear: ads[0]!.creatives[0]!.linear!, warnings };
};

describe('readVast tolerates', () => {
  it('unknown elements, with their line', () => {
    const { ads, warnings } = read(vast('<Foo/>', '<Ad><InLine><Bar>\n</Bar></InLine><Baz/></Ad>'));
    expect(ads).toHaveLength(1);
    expect(warnings).toEqual([
      { line: 2, code: 'UNKNOWN_ELEMENT', text: naming('VAST', 'Foo') },
      { line: 4, code: 'EXTRA_ELEMENT', text: naming('Ad', 'Baz') },
      { line: 3, code: 'UNKNOWN_ELEMENT', text: naming('InLine', 'Bar') },
    ]);
  });

  it('an Ad without InLine and Wrapper', () => {
    const { ads, warnings } = read(vast('<Ad id="x"/>'));
    expect(ads).toMatchObject([{ kind: 'inLine', id: 'x', creatives: [], holdsInstead: [] }]);
    expect(warnings[0]).toMatchObject({ line: 2, code: 'NEITHER_INLINE_NOR_WRAPPER' });
    const odd = read(
      '<VAST version="3.0"><Ad><Sponsored/><Error>https://a/e</Error></Ad><Ad/><Ad><InLine/></Ad><Error>https://a/none</Error></VAST>',
    );
    expect(odd.ads).toMatchObject([
      { holdsInstead: ['Sponsored', 'Error'], errorUrls: ['https://a/e', 'https://a/none'] },
      { holdsInstead: [], errorUrls: [] },
      { errorUrls: [] },
    ]);
    expect(odd.ads[2]).not.toHaveProperty('holdsInstead');
    const beside = (ad: string) =>
      read(vast(`<Ad>${ad}</Ad>`)).warnings.flatMap(({ code, text }) => (code === 'EXTRA_ELEMENT' ? text : []));
    expect(beside('<Foo/>')[0]).not.toMatch(/InLine|Wrapper/);
    expect(beside('<Foo/><InLine/>')).toEqual([naming('Foo', 'InLine')]);
    expect(beside('<Wrapper/><InLine/>')).toEqual([naming('Wrapper', 'InLine')]);
  });

  it('invalid URLs, and keeps them for the trace', () => {
    const file = (url: string) => `<MediaFile type="video/mp4">${url}</MediaFile>`;
    const { linear } = linearOf(
      `<MediaFiles>${file('htp://a/m.mp4')}${file('about:blank')}${file('')}${file('https://a/m.mp4')}<Mezzanine>C:\\m.mov</Mezzanine></MediaFiles>`,
    );
    expect(linear).toMatchObject({
      mediaFiles: [{ url: 'https://a/m.mp4' }],
      malformedMedia: ['htp://a/m.mp4', 'C:\\m.mov'],
    });
    const wrapped = (url: string) =>
      read(vast(`<Ad><Wrapper><VASTAdTagURI>${url}</VASTAdTagURI></Wrapper></Ad>`)).ads[0];
    expect(wrapped('[TAG]')).toMatchObject({ malformedTagUrl: '[TAG]' });
    for (const url of ['', 'about:blank', 'https://a/']) expect(wrapped(url)).not.toHaveProperty('malformedTagUrl');
  });

  it('faults of the XML', () => {
    const { ads, warnings } = read(
      '\n<!-- c --><?xml version="1.0"?>\n<v:VAST version="3.0"><v:Ad><v:InLine><v:Impression>http://a/?x=1&y=2</v:Impression></v:InLine></v:Ad></v:VAST> trailing',
    );
    expect(ads[0]!.impressions).toEqual([{ url: 'http://a/?x=1&y=2' }]);
    expect(warnings).toMatchObject([
      { line: 2, code: 'BEFORE_DECLARATION' },
      { line: 3, code: 'BARE_AMPERSAND' },
    ]);
  });

  it.each([
    ['a stray end tag', (ads: string[]) => `<VAST version="3.0">\n${ads[0]}</Ad>${ads[1]}</Creatives>${ads[2]}</VAST>`],
    ['the end tag of the root', (ads: string[]) => `<VAST version="3.0">\n${ads[0]}</VAST>${ads[1]}${ads[2]}</VAST>`],
    ['a second root', (ads: string[]) => `<VAST version="3.0">\n${ads[0]}</VAST><VAST>${ads[1]}${ads[2]}</VAST>`],
    ['no end at all', (ads: string[]) => `<VAST version="3.0">\n${ads.join('')}<Ad id="4"><InLine><Impr`],
  ])('%s, and reads the ads after it', (_, document) => {
    const { ads, version, warnings } = read(document(['1', '2', '3'].map((id) => `<Ad id="${id}"><InLine/></Ad>`)));
    expect([version, ads.map(({ id }) => id)]).toEqual(['3.0', ['1', '2', '3']]);
    expect(new Set(warnings.map(({ line }) => line))).toEqual(new Set([2]));
  });

  it('a stray end tag of any name, before, between and after the ads', () => {
    const ads = ['1', '2', '3'].map(
      (id) =>
        `<Ad id="${id}"><InLine><Error>https://a/${id}</Error><Creatives><Creative id="c"/></Creatives></InLine></Ad>`,
    );
    for (const name of ['VAST', 'Ad', 'InLine', 'Error', 'Creatives', 'Creative', 'Wrapper', 'vast:VAST', '']) {
      for (let place = 0; place <= ads.length; place += 1) {
        const document = `<VAST version="3.0">${ads.slice(0, place).join('')}</${name}>${ads.slice(place).join('')}</VAST>`;
        const found = read(document).ads;
        const counts = found.map((ad) => [ad.id, ad.errorUrls.length, ad.creatives.length]);
        expect(counts, document).toEqual(['1', '2', '3'].map((id) => [id, 1, 1]));
      }
    }
  });

  it('an Ad without an end tag, next to others', () => {
    const ads = (lacking: number) =>
      ['1', '2', '3'].map((id, index) => `<Ad id="${id}"><InLine/>${index === lacking ? '' : '</Ad>'}`).join('');
    for (const lacking of [0, 1, 2]) {
      const { ads: found, warnings } = read(`<VAST version="3.0">${ads(lacking)}</VAST>`);
      expect(found.map(({ id }) => id)).toEqual(['1', '2', '3']);
      expect(warnings).toEqual([{ line: 1, code: 'UNCLOSED', text: naming('Ad') }]);
    }
  });

  it('invalid URLs with a warning, and missing ones without', () => {
    const { ads, warnings } = read(
      vast(inLine('<Impression>about:blank</Impression><Impression/><Impression>N/A</Impression><Error></Error>')),
    );
    expect(ads[0]).toMatchObject({ impressions: [], errorUrls: [] });
    expect(warnings).toEqual([{ line: 2, code: 'INVALID_URL', text: naming('Impression', '"N/A"') }]);
  });

  it('data in the URLs of interactive files and static resources, and versions up to 4.4', () => {
    const data = 'data:text/html;base64,PGh0bWw+';
    const { linear, warnings } = linearOf(
      `<MediaFiles><InteractiveCreativeFile type="text/html"><![CDATA[ ${data} ]]></InteractiveCreativeFile></MediaFiles>
       <Icons><Icon><StaticResource>data:image/png;base64,iVBO</StaticResource></Icon></Icons>`,
    );
    expect([linear.interactiveFiles, warnings]).toEqual([[{ url: data, type: 'text/html' }], []]);
    expect(linear.icons[0]!.staticResources).toEqual([{ url: 'data:image/png;base64,iVBO' }]);
    for (const [version, count] of [
      ['4.4', 0],
      ['4.3', 0],
      ['2.0.1', 0],
      ['3', 0],
      ['5.0', 1],
    ] as const)
      expect([version, read(`<VAST version="${version}"/>`).warnings.length]).toEqual([version, count]);
  });

  it('invalid durations', () => {
    for (const text of ['', 'undefined', 'NaN', '00:00:00']) {
      expect(linearOf(`<Duration>${text}</Duration>`).linear.duration).toBeUndefined();
    }
    expect(linearOf('<Duration>undefined</Duration>').warnings[0]).toMatchObject({
      code: 'INVALID_TIME',
      text: naming('Duration', '"undefined"'),
    });
    expect(linearOf('<Duration>30</Duration>')).toMatchObject({ linear: { duration: seconds(30) }, warnings: [] });
  });

  it('invalid attributes', () => {
    const { linear, warnings } = linearOf(
      '<MediaFiles><MediaFile width="wide" height="360px" bitrate="-1" scalable="perhaps" delivery="pigeon">https://a/m.mp4</MediaFile></MediaFiles>',
      'skipoffset="never"',
    );
    expect(linear.mediaFiles).toEqual([{ url: 'https://a/m.mp4', delivery: 'progressive', height: 360 }]);
    expect(linear.skipOffset).toBeUndefined();
    const codes = 'INVALID_BOOLEAN INVALID_DELIVERY INVALID_NUMBER INVALID_NUMBER INVALID_OFFSET';
    expect(warnings.map(({ code }) => code).sort()).toEqual(codes.split(' '));
  });

  it('events of other versions, unknown events, and names in any case', () => {
    const tracking = (event: string) => `<Tracking event="${event}">https://a/</Tracking>`;
    const events = ['firstQuartile', 'fullscreen', 'acceptInvitationLinear', 'makersOwn'];
    const written = ['FirstQuartile', ...events.slice(1)].map(tracking).join('');
    const { linear, warnings } = linearOf(`<TrackingEvents>${written}<Tracking>https://a/</Tracking></TrackingEvents>`);
    expect(linear.trackingEvents.map(({ event }) => event)).toEqual(events);
    expect(warnings).toMatchObject([
      { code: 'UNKNOWN_EVENT', text: naming('Tracking', '"makersOwn"') },
      { code: 'MISSING_EVENT' },
    ]);
  });

  it('repeated lists', () => {
    const file = (name: string) => `<MediaFiles><MediaFile type="video/mp4">https://a/${name}</MediaFile></MediaFiles>`;
    const twice = '<TrackingEvents><Tracking event="start">https://a/s</Tracking></TrackingEvents>';
    const { linear, warnings } = linearOf(file('1') + file('2') + twice + twice);
    expect(linear.mediaFiles.map(({ url }) => url)).toEqual(['https://a/1', 'https://a/2']);
    expect(linear.trackingEvents).toHaveLength(2);
    expect(warnings).toEqual([]);
    const creatives = '<Creatives><Creative id="x"/></Creatives>';
    expect(read(vast(inLine(creatives, creatives))).ads[0]!.creatives).toHaveLength(2);
  });

  it('any number of mistakes, with at most 100 warnings', () => {
    expect(read(vast(...Array<string>(500).fill('<Foo/>'))).warnings).toHaveLength(100);
  });
});

describe('media files', () => {
  it('have bit rates in kbit/s, also when written in bit/s', () => {
    const file = (bitrate: number) =>
      `<MediaFile bitrate="${bitrate}" width="1280" height="720" type="video/mp4">https://a/${bitrate}</MediaFile>`;
    const { linear, warnings } = linearOf(`<MediaFiles>${file(2500)}${file(1_500_000)}</MediaFiles>`);
    expect(linear.mediaFiles.map(({ bitrate }) => bitrate)).toEqual([2500, 1500]);
    expect(warnings).toMatchObject([{ code: 'BITRATE_IN_BITS', text: naming('MediaFile@bitrate', 1_500_000) }]);
  });

  it('may be VPAID scripts, MP4 files with an apiFramework, and manifests', () => {
    const { linear } = linearOf(
      `<MediaFiles><MediaFile type="application/javascript" apiFramework="VPAID">https://a/v.js</MediaFile>
       <MediaFile type="video/mp4" apiFramework="VPAID">https://a/m.mp4</MediaFile>
       <MediaFile type="application/x-mpegURL">https://a/m.m3u8</MediaFile></MediaFiles>`,
    );
    expect(linear.mediaFiles).toMatchObject([
      { type: 'application/javascript', apiFramework: 'VPAID', delivery: 'progressive' },
      { type: 'video/mp4', apiFramework: 'VPAID', delivery: 'progressive' },
      { type: 'application/x-mpegURL', delivery: 'streaming' },
    ]);
  });

  it('without a URL cause a warning', () => {
    const { warnings } = linearOf('<MediaFiles><MediaFile type="video/mp4"/></MediaFiles>');
    expect(warnings).toMatchObject([{ code: 'MISSING_URL', text: naming('MediaFile') }]);
  });
});

describe('UniversalAdId', () => {
  const ids = (xml: string) => read(vast(creative(xml, '<Linear/>'))).ads[0]!.creatives[0]!.universalAdIds;

  it('is read from its text, or from the attribute of VAST 4.0', () => {
    const own = (text: string) => ids(`<UniversalAdId idRegistry="Ad-ID" idValue="1">${text}</UniversalAdId>`);
    expect(own('2')).toEqual([{ registry: 'Ad-ID', value: '2' }]);
    expect(own('unknown')).toEqual([{ registry: 'Ad-ID', value: '1' }]);
    expect(ids('<UniversalAdId idRegistry="unknown">x</UniversalAdId>')).toEqual([{ value: 'x' }]);
  });

  it('is absent if its value is "unknown"', () => {
    const none = '<UniversalAdId idRegistry="unknown">unknown</UniversalAdId><UniversalAdId idRegistry="a"/>';
    expect(ids(none)).toEqual([]);
  });
});
