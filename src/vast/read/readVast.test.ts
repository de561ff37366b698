// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { readVastOrThrow as read } from '../../../test/vast/readVastOrThrow.ts';
import type { InLineAd, WrapperAd } from '../response.ts';
import type { VastReadFailure } from '../xml/adXml.ts';
import { readAdDocument } from './readAdResponse.ts';
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

// VAST 1, which some servers still send, read into the model of VAST 4.2.

const inLine = `<?xml version="1.0" encoding="UTF-8"?>
<VideoAdServingTemplate xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="vast.xsd">
 <Ad id="one">
  <InLine>
   <AdSystem>server</AdSystem>
   <AdTitle>One</AdTitle>
   <Description>of 2008</Description>
   <Survey><URL>http://a/survey</URL></Survey>
   <Error><URL><![CDATA[http://a/error]]></URL></Error>
   <Impression><URL id="x"><![CDATA[http://a/impression]]></URL><URL id="y">http://b/impression</URL></Impression>
   <TrackingEvents>
    <Tracking event="start"><URL id="x">http://a/start</URL><URL id="y">http://b/start</URL></Tracking>
    <Tracking event="replay"><URL>http://a/replay</URL></Tracking>
   </TrackingEvents>
   <Video>
    <Duration>00:00:15</Duration>
    <AdID>number</AdID>
    <VideoClicks>
     <ClickThrough><URL id="z">http://a/through</URL></ClickThrough>
     <ClickTracking><URL>http://a/click</URL><URL>http://b/click</URL></ClickTracking>
    </VideoClicks>
    <MediaFiles>
     <MediaFile delivery="progressive" bitrate="600" width="640" height="360" type="video/mp4"><URL>http://a/640.mp4</URL></MediaFile>
     <MediaFile delivery="streaming" bitrate="300" width="320" height="180" type="video/x-flv"><URL>http://a/320.flv</URL></MediaFile>
    </MediaFiles>
   </Video>
   <CompanionAds>
    <Companion id="c" width="300" height="250" resourceType="static" creativeType="image/png">
     <URL>http://a/companion.png</URL>
     <CompanionClickThrough><URL>http://a/companion</URL></CompanionClickThrough>
    </Companion>
    <Companion width="300" height="60" resourceType="iframe"><URL>http://a/frame</URL></Companion>
    <Companion width="300" height="60" resourceType="HTML"><Code><![CDATA[<b/>]]></Code></Companion>
   </CompanionAds>
   <NonLinearAds>
    <NonLinear width="150" height="60" resourceType="static" creativeType="image/gif"><URL>http://a/overlay.gif</URL><NonLinearClickThrough><URL>http://a/overlay</URL></NonLinearClickThrough></NonLinear>
   </NonLinearAds>
   <Extensions><Extension type="t"><Count><![CDATA[1]]></Count></Extension></Extensions>
  </InLine>
 </Ad>
</VideoAdServingTemplate>`;

it('reads an InLine ad with all its elements', () => {
  const { version, ads, warnings } = read(inLine);
  expect({ version, warnings }).toEqual({ version: '1.0', warnings: [] });
  const { creatives, ...ad } = ads[0] as InLineAd;
  expect(ad).toMatchObject({
    kind: 'inLine',
    id: 'one',
    adTitle: 'One',
    survey: { url: 'http://a/survey' },
    errorUrls: ['http://a/error'],
    impressions: [
      { id: 'x', url: 'http://a/impression' },
      { id: 'y', url: 'http://b/impression' },
    ],
    extensions: [{ type: 't' }],
  });
  expect(creatives).toMatchObject([
    {
      adId: 'number',
      linear: {
        duration: seconds(15),
        trackingEvents: [
          { event: 'start', url: 'http://a/start' },
          { event: 'start', url: 'http://b/start' },
          { event: 'replay', url: 'http://a/replay' },
        ],
        clickThrough: { id: 'z', url: 'http://a/through' },
        clickTrackings: [{ url: 'http://a/click' }, { url: 'http://b/click' }],
        mediaFiles: [
          { url: 'http://a/640.mp4', type: 'video/mp4', bitrate: 600, width: 640, height: 360 },
          { url: 'http://a/320.flv', delivery: 'streaming' },
        ],
      },
    },
    {
      nonLinearAds: {
        nonLinears: [{ staticResources: [{ url: 'http://a/overlay.gif' }], clickThrough: 'http://a/overlay' }],
      },
    },
    {
      companionAds: {
        companions: [
          {
            id: 'c',
            staticResources: [{ url: 'http://a/companion.png', creativeType: 'image/png' }],
            clickThrough: 'http://a/companion',
          },
          { iframeResources: ['http://a/frame'] },
          { htmlResources: ['<b/>'] },
        ],
      },
    },
  ]);
});

it('reads a Wrapper with its tag URL and its own tracking', () => {
  const wrapper = `<VideoAdServingTemplate><Ad id="w"><Wrapper><AdSystem>w</AdSystem>
    <VASTAdTagURL><URL><![CDATA[/next?c=[CACHEBUSTING]]]></URL></VASTAdTagURL>
    <Error><URL>http://w/error</URL></Error><Impression><URL>http://w/1</URL><URL>http://w/2</URL></Impression>
    <TrackingEvents><Tracking event="midpoint"><URL>http://w/midpoint</URL></Tracking></TrackingEvents>
    <VideoClicks><ClickTracking><URL>http://w/click</URL></ClickTracking></VideoClicks>
    </Wrapper></Ad></VideoAdServingTemplate>`;
  const response = read(wrapper, 'https://ads.example/vast');
  expect(response.warnings).toEqual([]);
  expect(response.ads[0] as WrapperAd).toMatchObject({
    kind: 'wrapper',
    tagUrl: 'https://ads.example/next?c=[CACHEBUSTING]',
    errorUrls: ['http://w/error'],
    impressions: [{ url: 'http://w/1' }, { url: 'http://w/2' }],
    creatives: [
      {
        linear: {
          trackingEvents: [{ event: 'midpoint', url: 'http://w/midpoint' }],
          clickTrackings: [{ url: 'http://w/click' }],
        },
      },
    ],
  });
});

it('assigns the events to the overlay when there is no video', () => {
  const overlay = `<VideoAdServingTemplate><Ad><InLine><AdTitle>o</AdTitle><Impression><URL>http://a/i</URL></Impression>
    <TrackingEvents><Tracking event="start"><URL>http://a/start</URL></Tracking></TrackingEvents>
    <NonLinearAds><NonLinear resourceType="static"><URL>http://a/o.gif</URL></NonLinear></NonLinearAds></InLine></Ad></VideoAdServingTemplate>`;
  const [ad] = read(overlay).ads as InLineAd[];
  expect(ad!.creatives).toMatchObject([{ nonLinearAds: { trackingEvents: [{ event: 'start' }] } }]);
  expect(ad!.creatives[0]!.linear).toBeUndefined();
});

it('reads VAST 1 elements in a VAST root, and VAST 2 elements in a VAST 1 root', () => {
  const asVast = inLine.replaceAll('VideoAdServingTemplate', 'VAST').replace('<VAST', '<VAST version="1.0"');
  expect(read(asVast)).toEqual({ ...read(inLine), warnings: [] });
  const creative =
    '<Creatives><Creative><Linear><MediaFiles><MediaFile>http://a/m</MediaFile></MediaFiles></Linear></Creative></Creatives>';
  const [ad] = read(`<VideoAdServingTemplate><Ad><InLine>${creative}</InLine></Ad></VideoAdServingTemplate>`).ads;
  expect(ad!.creatives[0]!.linear!.mediaFiles).toMatchObject([{ url: 'http://a/m' }]);
});

it('reads VAST 1 inside VMAP', () => {
  const inside = inLine.replace(/<\?.*\?>/, '');
  for (const data of [inside, `<![CDATA[${inLine.replaceAll(/<!\[CDATA\[|\]\]>/g, '')}]]>`]) {
    const vmap = readAdDocument(
      `<VMAP version="1.0"><AdBreak timeOffset="start"><AdSource><VASTAdData>${data}</VASTAdData></AdSource></AdBreak></VMAP>`,
    );
    expect(vmap).toMatchObject({
      warnings: [],
      adBreaks: [{ source: { vast: { version: '1.0', ads: [{ id: 'one' }] } } }],
    });
  }
});

it('reads the attributes of companions', () => {
  const document = vast(`<Ad><InLine><Creatives><Creative><CompanionAds required="any">
    <Companion width="300" height="250" assetWidth="1" assetHeight="2" expandedWidth="3" expandedHeight="4"
      apiFramework="SIMID" adSlotId="slot" pxratio="1.5" renderingMode="end-card"><AltText>alt</AltText>
      <CompanionClickTracking id="k">https://a/k</CompanionClickTracking></Companion>
    </CompanionAds></Creative></Creatives></InLine></Ad>`);
  expect(read(document).ads[0]?.creatives[0]?.companionAds).toMatchObject({
    required: 'any',
    companions: [
      {
        width: 300,
        height: 250,
        assetWidth: 1,
        assetHeight: 2,
        expandedWidth: 3,
        expandedHeight: 4,
        apiFramework: 'SIMID',
        adSlotId: 'slot',
        pxratio: 1.5,
        renderingMode: 'end-card',
        altText: 'alt',
        clickTrackings: [{ id: 'k', url: 'https://a/k' }],
      },
    ],
  });
});
