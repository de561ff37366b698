// SPDX-License-Identifier: Apache-2.0
// VAST 1, which some servers still send, read into the model of VAST 4.2.
import { expect, it } from 'vitest';
import { readVastOrThrow as read } from '../../../test/vast/readVastOrThrow.ts';
import type { InLineAd, WrapperAd } from '../response.ts';
import { readVmap } from './readVmap.ts';

const seconds = (value: number) => value * 705_600_000;

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
    const vmap = readVmap(
      `<VMAP version="1.0"><AdBreak timeOffset="start"><AdSource><VASTAdData>${data}</VASTAdData></AdSource></AdBreak></VMAP>`,
    );
    expect(vmap).toMatchObject({
      warnings: [],
      adBreaks: [{ source: { vast: { version: '1.0', ads: [{ id: 'one' }] } } }],
    });
  }
});
