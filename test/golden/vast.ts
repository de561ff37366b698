// SPDX-License-Identifier: Apache-2.0
// Ad responses with all parts of VAST that a session's tracking feed contains.
import type { Ad } from '../live/adHost.ts';

/** `file`: the name of its media; an ad without one is skipped. */
export type GoldenAd = Pick<Ad, 'id' | 'seconds' | 'sequence'> & { readonly file?: string };

const EVENTS = ['start', 'midpoint', 'complete', 'mute'];

const clock = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 23);
const cdata = (text: string): string => `<![CDATA[${text}]]>`;

/** The key under which Midroll finds the creative of an ad. */
export const creativeKey = (file: string): string => `golden.test:${file} ${file}`;

function writeAd(origin: string, { id, seconds, file, sequence }: GoldenAd): string {
  const call = (what: string): string => cdata(`${origin}/called/${id}/${what}?by=[BREAKPOSITION]&p=[ADPLAYHEAD]`);
  const events = EVENTS.map((event) => `<Tracking event="${event}">${call(event)}</Tracking>`).join('');
  const media =
    file === undefined
      ? `<MediaFile delivery="progressive" type="application/javascript" width="1" height="1" apiFramework="VPAID">${cdata('https://creatives.test/unit.js')}</MediaFile>`
      : `<MediaFile delivery="progressive" type="video/mp4" width="1280" height="720" bitrate="2000">${cdata(`https://creatives.test/${file}`)}</MediaFile>`;
  return `<Ad id="${id}"${sequence === undefined ? '' : ` sequence="${sequence}"`}><InLine>
    <AdSystem version="1.2">golden &amp; true</AdSystem><AdTitle>Ad ${id}</AdTitle><AdServingId>serving-${id}</AdServingId>
    <Impression id="first">${call('impression')}</Impression><Error>${call('error')}</Error>
    <Category authority="https://iabtechlab.com">232</Category><Advertiser>A &lt;b&gt; &amp; c</Advertiser>
    <AdVerifications><Verification vendor="v.test-omid"><JavaScriptResource apiFramework="omid" browserOptional="true">${cdata('https://v.test/omid.js')}</JavaScriptResource>
      <VerificationParameters>${cdata('{"id":1}')}</VerificationParameters></Verification></AdVerifications>
    <Extensions><Extension type="golden"><Price currency="EUR">1.5</Price></Extension></Extensions>
    <Creatives>
      <Creative id="creative-${id}" adId="ad-${id}"><UniversalAdId idRegistry="golden.test">${file ?? id}</UniversalAdId>
        <Linear skipoffset="00:00:05"><Duration>${clock(seconds)}</Duration>
          <TrackingEvents>${events}<Tracking event="progress" offset="00:00:03.500">${call('progress')}</Tracking><Tracking event="progress" offset="40%">${call('progress40')}</Tracking></TrackingEvents>
          <VideoClicks><ClickThrough>${call('through')}</ClickThrough><ClickTracking id="c">${call('click')}</ClickTracking></VideoClicks>
          <MediaFiles>${media}</MediaFiles>
          <Icons><Icon program="AdChoices" width="20" height="20" xPosition="right" yPosition="top" offset="00:00:01" duration="00:00:04"><StaticResource creativeType="image/png">${cdata('https://v.test/i.png')}</StaticResource>
            <IconClicks><IconClickThrough>${call('icon')}</IconClickThrough></IconClicks><IconViewTracking>${call('iconView')}</IconViewTracking></Icon></Icons>
        </Linear></Creative>
      <Creative><CompanionAds required="any"><Companion width="300" height="250"><StaticResource creativeType="image/png">${cdata('https://v.test/c.png')}</StaticResource>
        <TrackingEvents><Tracking event="creativeView">${call('companion')}</Tracking></TrackingEvents><CompanionClickThrough>${call('companionClick')}</CompanionClickThrough></Companion></CompanionAds></Creative>
      <Creative><NonLinearAds><NonLinear width="480" height="70" minSuggestedDuration="00:00:04"><StaticResource creativeType="image/png">${cdata('https://v.test/o.png')}</StaticResource>
        <NonLinearClickThrough>${call('overlay')}</NonLinearClickThrough></NonLinear></NonLinearAds></Creative>
    </Creatives></InLine></Ad>`;
}

/** @param origin base of the tracking URLs */
export const writeVast = (origin: string, ads: readonly GoldenAd[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><VAST version="4.2">${ads.map((ad) => writeAd(origin, ad)).join('')}</VAST>`;
