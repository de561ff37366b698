// What ad servers write that no standard foresees: it costs a warning, never the ad.
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import type { Linear, VastResponse } from '../response.ts';
import { readVast } from './readVast.ts';

const seconds = (value: number) => value * 705_600_000;

function read(text: string | Uint8Array): VastResponse {
  const response = readVast(text);
  if ('reason' in response) throw new Error(`line ${response.line}: ${response.reason}`);
  return response;
}
const vast = (...content: string[]): string => `<VAST version="4.2">\n${content.join('\n')}\n</VAST>`;
const inLine = (...content: string[]): string => `<Ad id="1"><InLine>${content.join('')}</InLine></Ad>`;
const creative = (...content: string[]): string =>
  inLine(`<Creatives><Creative>${content.join('')}</Creative></Creatives>`);
const linearOf = (content: string, attributes = ''): { linear: Linear; warnings: string[] } => {
  const { ads, warnings } = read(vast(creative(`<Linear ${attributes}>${content}</Linear>`)));
  return { linear: ads[0]!.creatives[0]!.linear!, warnings: warnings.map(({ text }) => text) };
};

describe('what is odd costs a warning, never the ad', () => {
  it('elements that nobody knows, on their line', () => {
    const { ads, warnings } = read(vast('<Foo/>', '<Ad><InLine><Bar>\n</Bar></InLine><Baz/></Ad>'));
    expect(ads).toHaveLength(1);
    expect(warnings).toEqual([
      { line: 2, text: naming('VAST', 'Foo') },
      { line: 4, text: naming('Ad', 'Baz') },
      { line: 3, text: naming('InLine', 'Bar') },
    ]);
  });

  it('an Ad that holds nothing, or something else', () => {
    const { ads, warnings } = read(vast('<Ad id="x"/>'));
    expect(ads).toMatchObject([{ kind: 'inLine', id: 'x', creatives: [], holdsInstead: [] }]);
    expect(warnings[0]).toEqual({ line: 2, text: naming('InLine', 'Wrapper') });
    const odd = read(
      '<VAST version="3.0"><Ad><Sponsored/><Error>https://a/e</Error></Ad><Ad/><Ad><InLine/></Ad><Error>https://a/none</Error></VAST>',
    );
    expect(odd.ads).toMatchObject([
      { holdsInstead: ['Sponsored', 'Error'], errorUrls: ['https://a/e', 'https://a/none'] },
      { holdsInstead: [], errorUrls: [] },
      { errorUrls: [] },
    ]);
    expect(odd.ads[2]).not.toHaveProperty('holdsInstead');
  });

  it('what stands where a URL should is kept for the reason', () => {
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
    expect(warnings.map(({ line }) => line)).toEqual([2, 3]);
  });

  it.each([
    ['a stray end tag', (ads: string[]) => `<VAST version="3.0">\n${ads[0]}</Ad>${ads[1]}</Creatives>${ads[2]}</VAST>`],
    ['the end tag of the root', (ads: string[]) => `<VAST version="3.0">\n${ads[0]}</VAST>${ads[1]}${ads[2]}</VAST>`],
    ['a second root', (ads: string[]) => `<VAST version="3.0">\n${ads[0]}</VAST><VAST>${ads[1]}${ads[2]}</VAST>`],
    ['no end at all', (ads: string[]) => `<VAST version="3.0">\n${ads.join('')}<Ad id="4"><InLine><Impr`],
  ])('%s: the ads that follow are read', (_, document) => {
    const { ads, version, warnings } = read(document(['1', '2', '3'].map((id) => `<Ad id="${id}"><InLine/></Ad>`)));
    expect([version, ads.map(({ id }) => id)]).toEqual(['3.0', ['1', '2', '3']]);
    expect(new Set(warnings.map(({ line }) => line))).toEqual(new Set([2]));
  });

  it('a stray end tag of any name, anywhere beside the ads', () => {
    const ads = ['1', '2', '3'].map(
      (id) =>
        `<Ad id="${id}"><InLine><Error>https://a/${id}</Error><Creatives><Creative id="c"/></Creatives></InLine></Ad>`,
    );
    for (const name of ['VAST', 'Ad', 'InLine', 'Error', 'Creatives', 'Creative', 'Wrapper', 'vast:VAST', '']) {
      for (let place = 0; place <= ads.length; place += 1) {
        const document = `<VAST version="3.0">${ads.slice(0, place).join('')}</${name}>${ads.slice(place).join('')}</VAST>`;
        const found = read(document).ads;
        expect(
          found.map((ad) => [ad.id, ad.errorUrls.length, ad.creatives.length]),
          document,
        ).toEqual([
          ['1', 1, 1],
          ['2', 1, 1],
          ['3', 1, 1],
        ]);
      }
    }
  });

  it('an Ad without an end tag, beside others', () => {
    const ads = (lacking: number) =>
      ['1', '2', '3'].map((id, index) => `<Ad id="${id}"><InLine/>${index === lacking ? '' : '</Ad>'}`).join('');
    for (const lacking of [0, 1, 2]) {
      const { ads: found, warnings } = read(`<VAST version="3.0">${ads(lacking)}</VAST>`);
      expect(found.map(({ id }) => id)).toEqual(['1', '2', '3']);
      expect(warnings).toEqual([{ line: 1, text: naming('Ad') }]);
    }
  });

  it('URLs that are none, and those that say that they are none', () => {
    const { ads, warnings } = read(
      vast(inLine('<Impression>about:blank</Impression><Impression/><Impression>N/A</Impression><Error></Error>')),
    );
    expect(ads[0]).toMatchObject({ impressions: [], errorUrls: [] });
    expect(warnings).toEqual([{ line: 2, text: naming('Impression', '"N/A"') }]);
  });

  it('durations that are none', () => {
    for (const text of ['', 'undefined', 'NaN', '00:00:00']) {
      expect(linearOf(`<Duration>${text}</Duration>`).linear.duration).toBeUndefined();
    }
    expect(linearOf('<Duration>undefined</Duration>').warnings[0]).toEqual(naming('Duration', '"undefined"'));
    expect(linearOf('<Duration>30</Duration>')).toMatchObject({ linear: { duration: seconds(30) }, warnings: [] });
  });

  it('attributes that can not be read', () => {
    const { linear, warnings } = linearOf(
      '<MediaFiles><MediaFile width="wide" height="360px" bitrate="-1" scalable="perhaps" delivery="pigeon">https://a/m.mp4</MediaFile></MediaFiles>',
      'skipoffset="never"',
    );
    expect(linear.mediaFiles).toEqual([{ url: 'https://a/m.mp4', delivery: 'progressive', height: 360 }]);
    expect(linear.skipOffset).toBeUndefined();
    expect(warnings).toHaveLength(5);
  });

  it('events of other versions, other makers, other cases', () => {
    const tracking = (event: string) => `<Tracking event="${event}">https://a/</Tracking>`;
    const { linear, warnings } = linearOf(
      `<TrackingEvents>${['FirstQuartile', 'fullscreen', 'acceptInvitationLinear', 'makersOwn'].map(tracking).join('')}<Tracking>https://a/</Tracking></TrackingEvents>`,
    );
    expect(linear.trackingEvents.map(({ event }) => event)).toEqual([
      'firstQuartile',
      'fullscreen',
      'acceptInvitationLinear',
      'makersOwn',
    ]);
    expect(warnings).toEqual([naming('Tracking', '"makersOwn"'), naming('Tracking')]);
    expect(warnings[1]).not.toContain('"');
  });

  it('lists that come twice', () => {
    const file = (name: string) => `<MediaFiles><MediaFile type="video/mp4">https://a/${name}</MediaFile></MediaFiles>`;
    const twice = '<TrackingEvents><Tracking event="start">https://a/s</Tracking></TrackingEvents>';
    const { linear, warnings } = linearOf(file('1') + file('2') + twice + twice);
    expect(linear.mediaFiles.map(({ url }) => url)).toEqual(['https://a/1', 'https://a/2']);
    expect(linear.trackingEvents).toHaveLength(2);
    expect(warnings).toEqual([]);
    const creatives = '<Creatives><Creative id="x"/></Creatives>';
    expect(read(vast(inLine(creatives, creatives))).ads[0]!.creatives).toHaveLength(2);
  });

  it('a number of warnings that has an end', () => {
    expect(read(vast(...Array<string>(500).fill('<Foo/>'))).warnings).toHaveLength(100);
  });
});

describe('media files', () => {
  it('keep bit rates in kbit/s, whichever way they were counted', () => {
    const file = (bitrate: number) =>
      `<MediaFile bitrate="${bitrate}" width="1280" height="720" type="video/mp4">https://a/${bitrate}</MediaFile>`;
    const { linear, warnings } = linearOf(`<MediaFiles>${file(2500)}${file(1_500_000)}</MediaFiles>`);
    expect(linear.mediaFiles.map(({ bitrate }) => bitrate)).toEqual([2500, 1500]);
    expect(warnings).toEqual([naming('MediaFile@bitrate', 1_500_000)]);
  });

  it('stay beside each other: VPAID, MP4 with an apiFramework, manifests', () => {
    const { linear } = linearOf(
      `<MediaFiles><MediaFile type="application/javascript" apiFramework="VPAID">https://a/v.js</MediaFile>
       <MediaFile type="video/mp4" apiFramework="VPAID">https://a/m.mp4</MediaFile>
       <MediaFile type="application/x-mpegURL">https://a/m.m3u8</MediaFile></MediaFiles>`,
    );
    expect(linear.mediaFiles.map(({ type, apiFramework, delivery }) => [type, apiFramework, delivery])).toEqual([
      ['application/javascript', 'VPAID', 'progressive'],
      ['video/mp4', 'VPAID', 'progressive'],
      ['application/x-mpegURL', undefined, 'streaming'],
    ]);
  });

  it('without a URL are told', () => {
    expect(linearOf('<MediaFiles><MediaFile type="video/mp4"/></MediaFiles>').warnings).toEqual([naming('MediaFile')]);
  });
});

describe('UniversalAdId', () => {
  const ids = (xml: string) => read(vast(creative(xml, '<Linear/>'))).ads[0]!.creatives[0]!.universalAdIds;

  it('is taken from its text, or from the attribute of VAST 4.0', () => {
    expect(ids('<UniversalAdId idRegistry="Ad-ID" idValue="1">2</UniversalAdId>')).toEqual([
      { registry: 'Ad-ID', value: '2' },
    ]);
    expect(ids('<UniversalAdId idRegistry="Ad-ID" idValue="1">unknown</UniversalAdId>')).toEqual([
      { registry: 'Ad-ID', value: '1' },
    ]);
    expect(ids('<UniversalAdId idRegistry="unknown">x</UniversalAdId>')).toEqual([{ value: 'x' }]);
  });

  it('that says it is unknown is none', () => {
    expect(ids('<UniversalAdId idRegistry="unknown">unknown</UniversalAdId><UniversalAdId idRegistry="a"/>')).toEqual(
      [],
    );
  });
});
