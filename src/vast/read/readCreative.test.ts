// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { readVastOrThrow } from '../../../test/vast/readVastOrThrow.ts';
import type { Creative } from '../response.ts';

const seconds = (value: number) => value * 705_600_000;

const document = `<VAST version="4.2"><Ad><InLine><Creatives>
<Creative>
  <CompanionAds required="any">
    <Companion id="comp" width="300" height="250" assetWidth="1" assetHeight="2" expandedWidth="3" expandedHeight="4" apiFramework="SIMID" adSlotId="slot" pxratio="1.5" renderingMode="end-card">
      <HTMLResource><![CDATA[<b>html</b>]]></HTMLResource>
      <IFrameResource>https://a/frame</IFrameResource>
      <StaticResource creativeType="image/jpeg">https://a/companion.jpg</StaticResource>
      <AdParameters>p</AdParameters>
      <AltText>companion</AltText>
      <CompanionClickThrough>https://a/companionThrough</CompanionClickThrough>
      <CompanionClickTracking id="k">https://a/companionTracking</CompanionClickTracking>
      <TrackingEvents><Tracking event="creativeView">https://a/companionView</Tracking></TrackingEvents>
    </Companion>
  </CompanionAds>
  <NonLinearAds>
    <TrackingEvents><Tracking event="close">https://a/close</Tracking></TrackingEvents>
    <NonLinear id="n" width="5" height="6" scalable="true" maintainAspectRatio="false" minSuggestedDuration="00:00:10">
      <StaticResource creativeType="image/gif">https://a/overlay.gif</StaticResource>
      <NonLinearClickThrough>https://a/nonLinearThrough</NonLinearClickThrough>
      <NonLinearClickTracking id="q">https://a/nonLinearTracking</NonLinearClickTracking>
    </NonLinear>
  </NonLinearAds>
</Creative>
</Creatives></InLine></Ad></VAST>`;

const expected: Creative = {
  universalAdIds: [],
  extensions: [],
  companionAds: {
    required: 'any',
    companions: [
      {
        id: 'comp',
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
        htmlResources: ['<b>html</b>'],
        iframeResources: ['https://a/frame'],
        staticResources: [{ url: 'https://a/companion.jpg', creativeType: 'image/jpeg' }],
        adParameters: { value: 'p' },
        altText: 'companion',
        clickThrough: 'https://a/companionThrough',
        clickTrackings: [{ id: 'k', url: 'https://a/companionTracking' }],
        trackingEvents: [{ event: 'creativeView', url: 'https://a/companionView' }],
        extensions: [],
      },
    ],
  },
  nonLinearAds: {
    trackingEvents: [{ event: 'close', url: 'https://a/close' }],
    nonLinears: [
      {
        id: 'n',
        width: 5,
        height: 6,
        scalable: true,
        maintainAspectRatio: false,
        minSuggestedDuration: seconds(10) as never,
        staticResources: [{ url: 'https://a/overlay.gif', creativeType: 'image/gif' }],
        iframeResources: [],
        htmlResources: [],
        clickThrough: 'https://a/nonLinearThrough',
        clickTrackings: [{ id: 'q', url: 'https://a/nonLinearTracking' }],
      },
    ],
  },
};

it('reads a Creative with companions and non-linear ads', () => {
  const { ads, warnings } = readVastOrThrow(document);
  expect(warnings).toEqual([]);
  expect(ads[0]!.creatives).toEqual([expected]);
});
