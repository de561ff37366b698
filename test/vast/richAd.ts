// SPDX-License-Identifier: Apache-2.0
// The record of a break with an ad that has every element of VAST for linear ads.
import type { AdRecord, BreakRecord } from '../../src/ads/record/breakRecord.ts';
import { readVast } from '../../src/vast/read/readVast.ts';
import type { InLineAd } from '../../src/vast/response.ts';

/** A document with every element. */
export const everything = `<VAST version="4.2"><Ad id="ad-7"><InLine>
  <AdSystem version="1">Ads</AdSystem><Error>https://t.test/error?code=[ERRORCODE]</Error>
  <Extensions><Extension type="geo"><Country>SE</Country></Extension></Extensions>
  <Impression>https://t.test/imp?1&amp;cb=[CACHEBUSTING]</Impression><Impression>https://t.test/imp?2</Impression>
  <AdTitle>Tea</AdTitle>
  <AdVerifications><Verification vendor="v.test-omid">
    <JavaScriptResource apiFramework="omid" browserOptional="true">https://t.test/omid.js</JavaScriptResource>
    <ExecutableResource apiFramework="omid" type="application/x">https://t.test/omid.bin</ExecutableResource>
    <TrackingEvents><Tracking event="verificationNotExecuted">https://t.test/not?[REASON]</Tracking></TrackingEvents>
    <VerificationParameters>key=1</VerificationParameters></Verification></AdVerifications>
  <Creatives>
    <Creative id="c-1" sequence="1"><UniversalAdId idRegistry="ad-id.org">CNPA0484</UniversalAdId>
      <Linear skipoffset="00:00:05"><Duration>00:00:10</Duration>
        <AdParameters>a=b</AdParameters>
        <MediaFiles><Mezzanine delivery="progressive" type="video/mp4" width="1920" height="1080">https://m.test/mezz.mp4</Mezzanine>
          <MediaFile id="m1" delivery="progressive" type="video/mp4" width="1280" height="720" bitrate="2000" codec="avc1.64001f">https://m.test/tea.mp4</MediaFile>
          <InteractiveCreativeFile type="application/javascript" apiFramework="SIMID">https://m.test/simid.html</InteractiveCreativeFile></MediaFiles>
        <TrackingEvents>
          <Tracking event="start">https://t.test/start</Tracking><Tracking event="firstQuartile">https://t.test/q1</Tracking>
          <Tracking event="midpoint">https://t.test/q2</Tracking><Tracking event="thirdQuartile">https://t.test/q3</Tracking>
          <Tracking event="complete">https://t.test/done</Tracking><Tracking event="mute">https://t.test/mute</Tracking>
          <Tracking event="progress" offset="00:00:03">https://t.test/p3</Tracking>
          <Tracking event="progress" offset="90%">https://t.test/p90</Tracking>
          <Tracking event="progress" offset="00:00:30">https://t.test/never</Tracking></TrackingEvents>
        <VideoClicks><ClickThrough>https://t.test/shop</ClickThrough><ClickTracking>https://t.test/click</ClickTracking></VideoClicks>
        <Icons><Icon program="AdChoices" width="20" height="20" xPosition="right" yPosition="top" duration="00:00:10">
          <StaticResource creativeType="image/png">https://m.test/icon.png</StaticResource>
          <IconClicks><IconClickThrough>https://t.test/why</IconClickThrough></IconClicks>
          <IconViewTracking>https://t.test/icon</IconViewTracking></Icon></Icons>
      </Linear></Creative>
    <Creative sequence="1"><CompanionAds><Companion id="2" width="300" height="250">
      <StaticResource creativeType="image/png">https://m.test/side.png</StaticResource>
      <TrackingEvents><Tracking event="creativeView">https://t.test/side</Tracking></TrackingEvents>
      <CompanionClickThrough>https://t.test/side-shop</CompanionClickThrough></Companion></CompanionAds></Creative>
    <Creative id="c-3"><NonLinearAds><NonLinear id="n1" width="640" height="60">
      <StaticResource creativeType="image/png">https://m.test/over.png</StaticResource></NonLinear>
      <TrackingEvents><Tracking event="creativeView">https://t.test/over</Tracking></TrackingEvents></NonLinearAds></Creative>
  </Creatives></InLine></Ad></VAST>`;

export function richAd(): InLineAd {
  const read = readVast(everything);
  if ('reason' in read) throw new Error(read.reason);
  return read.ads[0] as InLineAd;
}

/** A stitched ad of ten seconds. */
export const adRecord = (adId: string, startsAt: string, vast: InLineAd): AdRecord => ({
  adId,
  title: vast.adTitle ?? '',
  duration: 10,
  outcome: 'stitched',
  startsAt,
  vast,
});

/** A break of 30 s: the ad twice, and slate. */
export function richBreak(id: string, startsAt: string): BreakRecord {
  const second = new Date(Date.parse(startsAt) + 10_000).toISOString();
  return {
    id,
    startsAt,
    duration: 30,
    status: 'partial',
    reason: { code: 'TOO_FEW_ADS', text: 'The ads fill 20.00 s of 30.00 s.' },
    warnings: [],
    ads: [adRecord(`${id}-0`, startsAt, richAd()), adRecord(`${id}-1`, second, richAd())],
    tracking: [
      { event: 'breakStart', url: 'https://t.test/break' },
      { event: 'breakEnd', url: 'https://t.test/over-and-out' },
    ],
    slate: 10,
  };
}

export const emptyBreak = (id: string, startsAt: string): BreakRecord => ({
  id,
  startsAt,
  duration: 30,
  status: 'empty',
  reason: { code: 'NO_ADS', text: 'The ad server returned VAST without ads.' },
  warnings: [],
  ads: [],
  slate: 30,
});
