// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { readVastOrThrow } from '../../../test/vast/readVastOrThrow.ts';
import type { Creative, InLineAd } from '../response.ts';

const seconds = (value: number) => value * 705_600_000;

const full = `<?xml version="1.0" encoding="UTF-8"?>
<VAST version="4.2" xmlns="http://www.iab.com/VAST" xmlns:x="urn:x">
  <Ad id="ad" sequence="2" adType="video" conditionalAd="false">
    <InLine>
      <AdSystem version="7">server</AdSystem>
      <Error><![CDATA[https://a/error?c=[ERRORCODE]]]></Error>
      <Extensions><Extension type="t" x:y="1" z="2"><x:data k="v">1 &lt; 2</x:data><plain/></Extension></Extensions>
      <Impression id="i1"><![CDATA[ https://a/impression?1 ]]></Impression>
      <Impression>https://a/impression?2</Impression>
      <Pricing model="CPM" currency="usd"><![CDATA[ 25.00 ]]></Pricing>
      <ViewableImpression id="v"><Viewable>https://a/v</Viewable><NotViewable>https://a/n</NotViewable><ViewUndetermined>https://a/u</ViewUndetermined></ViewableImpression>
      <AdServingId>serving</AdServingId>
      <AdTitle>Title &amp; more</AdTitle>
      <AdVerifications>
        <Verification vendor="vendor">
          <ExecutableResource apiFramework="omid" type="application/x" language="c"><![CDATA[https://a/exec]]></ExecutableResource>
          <JavaScriptResource apiFramework="omid" browserOptional="True"><![CDATA[https://a/verify.js]]></JavaScriptResource>
          <TrackingEvents><Tracking event="verificationNotExecuted">https://a/notExecuted</Tracking></TrackingEvents>
          <VerificationParameters><![CDATA[{"k":"v"}]]></VerificationParameters>
        </Verification>
      </AdVerifications>
      <Advertiser>Advertiser</Advertiser>
      <Category authority="https://a/categories">IAB1-2</Category>
      <Creatives>
        <Creative id="c1" sequence="1" adId="adId" apiFramework="VPAID">
          <CreativeExtensions><CreativeExtension type="e">text</CreativeExtension></CreativeExtensions>
          <Linear skipoffset="00:00:05">
            <Icons>
              <Icon program="AdChoices" width="20" height="10" xPosition="right" yPosition="top" offset="00:00:01" duration="00:00:05" pxratio="2">
                <StaticResource creativeType="image/png">https://a/icon.png</StaticResource>
                <IconClicks>
                  <IconClickFallbackImages><IconClickFallbackImage width="5"><AltText>alt</AltText><StaticResource>https://a/fallback.png</StaticResource></IconClickFallbackImage></IconClickFallbackImages>
                  <IconClickThrough>https://a/iconThrough</IconClickThrough>
                  <IconClickTracking id="t">https://a/iconTracking</IconClickTracking>
                </IconClicks>
                <IconViewTracking>https://a/iconView</IconViewTracking>
              </Icon>
            </Icons>
            <TrackingEvents>
              <Tracking event="start">https://a/start</Tracking>
              <Tracking event="progress" offset="25%">https://a/progress</Tracking>
            </TrackingEvents>
            <AdParameters xmlEncoded="1"><![CDATA[<a b="c"/>]]></AdParameters>
            <Duration>00:00:16.500</Duration>
            <MediaFiles>
              <ClosedCaptionFiles><ClosedCaptionFile type="text/vtt" language="sv">https://a/sv.vtt</ClosedCaptionFile></ClosedCaptionFiles>
              <MediaFile id="m" delivery="progressive" type="video/mp4" bitrate="2000" width="1280" height="720" minBitrate="1500" maxBitrate="2500" scalable="1" maintainAspectRatio="0" codec="H.264" fileSize="1234" mediaType="2D" apiFramework="VPAID">https://a/m.mp4</MediaFile>
              <Mezzanine delivery="progressive" type="video/mp4" width="1920" height="1080">https://a/mezzanine.mp4</Mezzanine>
              <InteractiveCreativeFile type="text/html" apiFramework="SIMID" variableDuration="true">https://a/simid.html</InteractiveCreativeFile>
            </MediaFiles>
            <VideoClicks>
              <ClickTracking id="ct">https://a/clickTracking</ClickTracking>
              <ClickThrough>https://a/clickThrough</ClickThrough>
              <CustomClick id="cc">https://a/customClick</CustomClick>
            </VideoClicks>
          </Linear>
          <UniversalAdId idRegistry="Ad-ID">8465</UniversalAdId>
          <UniversalAdId idRegistry="Foo">9999</UniversalAdId>
        </Creative>
      </Creatives>
      <Description>Description</Description>
      <Expires>3600</Expires>
      <Survey type="text/javascript">https://a/survey</Survey>
    </InLine>
  </Ad>
</VAST>`;

describe('an InLine ad', () => {
  it('is read with all its elements', () => {
    const { version, ads, errorUrls, warnings } = readVastOrThrow(full);
    expect({ version, errorUrls, warnings }).toEqual({ version: '4.2', errorUrls: [], warnings: [] });
    const { creatives, ...ad } = ads[0] as InLineAd;
    expect(ad).toEqual({
      kind: 'inLine',
      id: 'ad',
      sequence: 2,
      adType: 'video',
      conditionalAd: false,
      adSystem: { name: 'server', version: '7' },
      impressions: [{ id: 'i1', url: 'https://a/impression?1' }, { url: 'https://a/impression?2' }],
      errorUrls: ['https://a/error?c=[ERRORCODE]'],
      viewableImpression: {
        id: 'v',
        viewable: ['https://a/v'],
        notViewable: ['https://a/n'],
        viewUndetermined: ['https://a/u'],
      },
      pricing: { value: 25, model: 'cpm', currency: 'USD' },
      extensions: [
        { type: 't', attributes: { z: '2' }, content: '<x:data k="v" xmlns:x="urn:x">1 &lt; 2</x:data><plain/>' },
      ],
      verifications: [
        {
          vendor: 'vendor',
          executableResources: [{ url: 'https://a/exec', apiFramework: 'omid', type: 'application/x', language: 'c' }],
          javaScriptResources: [{ url: 'https://a/verify.js', apiFramework: 'omid', browserOptional: true }],
          trackingEvents: [{ event: 'verificationNotExecuted', url: 'https://a/notExecuted' }],
          parameters: '{"k":"v"}',
        },
      ],
      adTitle: 'Title & more',
      adServingId: 'serving',
      description: 'Description',
      advertiser: 'Advertiser',
      categories: [{ authority: 'https://a/categories', value: 'IAB1-2' }],
      survey: { url: 'https://a/survey', type: 'text/javascript' },
      expires: 3600,
    });
    expect(creatives).toEqual([linearCreative]);
  });
});

describe('verification', () => {
  const verification = (vendor: string) =>
    `<Verification vendor="${vendor}"><JavaScriptResource apiFramework="omid">https://${vendor}/verify.js</JavaScriptResource>
     <VerificationParameters>{}</VerificationParameters></Verification>`;
  const readBoth = (content: string, kind = 'InLine') => {
    const { ads, warnings } = readVastOrThrow(`<VAST version="3.0"><Ad><${kind}>${content}</${kind}></Ad></VAST>`);
    const [{ verifications, extensions }] = ads as [InLineAd];
    return { vendors: verifications.map(({ vendor }) => vendor), extensions, warnings };
  };

  it.each(['InLine', 'Wrapper'])('is read from the extension of an %s that was used before VAST 4.1', (kind) => {
    const tag = kind === 'Wrapper' ? '<VASTAdTagURI>https://x/</VASTAdTagURI>' : '';
    const list = `<AdVerifications>${verification('a')}${verification('b')}</AdVerifications>`;
    for (const type of ['type="AdVerifications"', 'TYPE="adverifications"', '']) {
      const content = `${tag}<Extensions><Extension type="t"/><Extension ${type}>${list}</Extension></Extensions>`;
      expect(readBoth(content, kind)).toMatchObject({
        vendors: ['a', 'b'],
        extensions: [{ type: 't' }],
        warnings: [],
      });
    }
  });

  it('is read without its list, next to other content, and only once when it occurs twice', () => {
    const bare = `<Extensions><Extension type="AdVerifications">${verification('a')}<More/></Extension></Extensions>`;
    expect(readBoth(bare)).toMatchObject({
      vendors: ['a'],
      extensions: [{ type: 'AdVerifications', content: '<More/>' }],
    });
    const both = `${bare}<AdVerifications>${verification('b')}${verification('a')}</AdVerifications>`;
    expect(readBoth(both).vendors).toEqual(['b', 'a']);
  });
});

const linearCreative: Creative = {
  id: 'c1',
  sequence: 1,
  adId: 'adId',
  apiFramework: 'VPAID',
  universalAdIds: [
    { registry: 'Ad-ID', value: '8465' },
    { registry: 'Foo', value: '9999' },
  ],
  extensions: [{ type: 'e', attributes: {}, content: 'text' }],
  linear: {
    duration: seconds(16.5) as never,
    skipOffset: { kind: 'time', at: seconds(5) as never },
    trackingEvents: [
      { event: 'start', url: 'https://a/start' },
      { event: 'progress', url: 'https://a/progress', offset: { kind: 'percent', percent: 25 } },
    ],
    adParameters: { value: '<a b="c"/>', xmlEncoded: true },
    mediaFiles: [
      {
        url: 'https://a/m.mp4',
        id: 'm',
        delivery: 'progressive',
        type: 'video/mp4',
        width: 1280,
        height: 720,
        codec: 'H.264',
        bitrate: 2000,
        minBitrate: 1500,
        maxBitrate: 2500,
        scalable: true,
        maintainAspectRatio: false,
        fileSize: 1234,
        mediaType: '2D',
        apiFramework: 'VPAID',
      },
    ],
    mezzanines: [
      { url: 'https://a/mezzanine.mp4', delivery: 'progressive', type: 'video/mp4', width: 1920, height: 1080 },
    ],
    interactiveFiles: [
      { url: 'https://a/simid.html', type: 'text/html', apiFramework: 'SIMID', variableDuration: true },
    ],
    closedCaptions: [{ url: 'https://a/sv.vtt', type: 'text/vtt', language: 'sv' }],
    clickThrough: { url: 'https://a/clickThrough' },
    clickTrackings: [{ id: 'ct', url: 'https://a/clickTracking' }],
    customClicks: [{ id: 'cc', url: 'https://a/customClick' }],
    icons: [
      {
        program: 'AdChoices',
        width: 20,
        height: 10,
        xPosition: 'right',
        yPosition: 'top',
        offset: seconds(1) as never,
        duration: seconds(5) as never,
        pxratio: 2,
        staticResources: [{ url: 'https://a/icon.png', creativeType: 'image/png' }],
        iframeResources: [],
        htmlResources: [],
        clickThrough: 'https://a/iconThrough',
        clickTrackings: [{ id: 't', url: 'https://a/iconTracking' }],
        fallbackImages: [{ url: 'https://a/fallback.png', altText: 'alt', width: 5 }],
        viewTrackings: ['https://a/iconView'],
      },
    ],
  },
};
