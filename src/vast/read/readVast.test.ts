// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { readVastOrThrow as read } from '../../../test/vast/readVastOrThrow.ts';
import type { InLineAd, WrapperAd } from '../response.ts';
import type { VastReadFailure } from '../xml/vastReadFailure.ts';
import { readVast } from './readVast.ts';

const seconds = (value: number) => value * 705_600_000;

const failure = (text: string): VastReadFailure => {
  const response = readVast(text);
  if ('ads' in response) throw new Error('was read');
  return response;
};
const vast = (...content: string[]): string => `<VAST version="4.2">\n${content.join('\n')}\n</VAST>`;

describe('a Wrapper ad', () => {
  const wrapper = (attributes: string, content: string) =>
    read(vast(`<Ad><Wrapper ${attributes}>${content}</Wrapper></Ad>`)).ads[0] as WrapperAd;

  it('has a tag URL and its own tracking', () => {
    expect(
      wrapper(
        'followAdditionalWrappers="0" allowMultipleAds="1" fallbackOnNoAd="false"',
        `<AdSystem>s</AdSystem><Impression>https://a/i</Impression><BlockedAdCategories authority="x">A, B</BlockedAdCategories>
         <Creatives><Creative><Linear><TrackingEvents><Tracking event="start">https://a/s</Tracking></TrackingEvents></Linear></Creative></Creatives>
         <VASTAdTagURI><![CDATA[//b.example/vast?c=[CACHEBUSTING]]]></VASTAdTagURI>`,
      ),
    ).toMatchObject({
      kind: 'wrapper',
      tagUrl: 'https://b.example/vast?c=[CACHEBUSTING]',
      followAdditionalWrappers: false,
      allowMultipleAds: true,
      fallbackOnNoAd: false,
      blockedCategories: [{ authority: 'x', value: 'A, B' }],
      creatives: [{ linear: { trackingEvents: [{ event: 'start', url: 'https://a/s' }], mediaFiles: [] } }],
    });
  });

  it('by default allows further wrappers and a single ad', () => {
    const ad = wrapper('', '<VASTAdTagURI>https://b.example/</VASTAdTagURI>');
    expect(ad).toMatchObject({ followAdditionalWrappers: true, allowMultipleAds: false });
    expect(ad.fallbackOnNoAd).toBeUndefined();
  });

  it('is returned even without a valid tag URL', () => {
    expect(wrapper('', '<VASTAdTagURI>nowhere</VASTAdTagURI>').tagUrl).toBeUndefined();
  });
});

describe('a response', () => {
  it('keeps the sequence numbers of ads as written', () => {
    const ad = (sequence: string) => `<Ad ${sequence}><InLine/></Ad>`;
    const sequences = (...all: string[]) => read(vast(...all.map(ad))).ads.map(({ sequence }) => sequence);
    expect(sequences('sequence="2"', '', 'sequence="1"')).toEqual([2, undefined, 1]);
    expect(sequences('sequence="0"', 'sequence="1"')).toEqual([0, 1]);
    expect(sequences('sequence="1"', 'sequence="1"')).toEqual([1, 1]);
    expect(sequences('sequence="first"')).toEqual([undefined]);
  });

  it('may have Error URLs instead of ads', () => {
    expect(read(vast())).toEqual({ version: '4.2', ads: [], errorUrls: [], warnings: [] });
    expect(read(vast('<Error>https://a/noad</Error>')).errorUrls).toEqual(['https://a/noad']);
  });

  it('may have names in any case', () => {
    const odd = read(
      `<vast VERSION="2.0"><AD ID="1" Sequence="3"><inline><adsystem>s</adsystem><IMPRESSION ID="x">http://a/i</IMPRESSION><creatives><creative AdID="c"><linear><duration>00:00:10</duration><mediafiles><mediafile TYPE="video/mp4" Width="640">http://a/m.mp4</mediafile></mediafiles></linear></creative></creatives></inline></AD></vast>`,
    );
    expect(odd.warnings).toEqual([]);
    expect(odd.ads[0]).toMatchObject({
      id: '1',
      sequence: 3,
      impressions: [{ id: 'x', url: 'http://a/i' }],
      creatives: [{ adId: 'c', linear: { duration: seconds(10), mediaFiles: [{ type: 'video/mp4', width: 640 }] } }],
    });
  });

  it('causes a warning if its version is unknown', () => {
    const { warnings, ads } = read('<VAST version="9"><Ad><InLine/></Ad></VAST>');
    expect(warnings[0]).toEqual({ line: 1, code: 'UNKNOWN_VERSION', text: naming('VAST@version', '"9"') });
    expect(ads).toHaveLength(1);
  });

  it('that is not VAST fails with a line, a reason and a code', () => {
    expect(failure('')).toMatchObject({ line: 1, fault: 'EMPTY', code: 100 });
    expect(failure('\n<html><body></html>')).toMatchObject({ line: 2, fault: 'WEB_PAGE', code: 100 });
    expect(failure('{"ads": []}').code).toBe(100);
    const page = failure('\n\n<html/>');
    expect(page).toMatchObject({ line: 3, fault: 'ROOT', code: 101 });
    expect(page.reason).toContain('html');
    expect(failure('<VAST><Ad>')).toMatchObject({ code: 100, fault: 'BREAKS_OFF' });
    expect(failure('<!DOCTYPE VAST [<!ENTITY x SYSTEM "file:///etc/passwd">]><VAST>&x;</VAST>')).toMatchObject({
      code: 100,
      fault: 'INTERNAL_SUBSET',
    });
  });

  it('is decoded with the declared encoding', () => {
    const text =
      '<?xml version="1.0" encoding="iso-8859-1"?><VAST version="3.0"><Ad><InLine><AdTitle>Räksmörgås</AdTitle></InLine></Ad></VAST>';
    const { ads } = read(Uint8Array.from(text, (character) => character.charCodeAt(0)));
    expect((ads[0] as InLineAd).adTitle).toBe('Räksmörgås');
  });
});
