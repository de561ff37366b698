// SPDX-License-Identifier: Apache-2.0
// A pod as a VAST 4.2 document (IAB, "Video Ad Serving Template"), with a tracking URL for every event that is counted.
import type { Advertisement } from './advertisements.ts';

export const trackedEvents = ['impression', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'] as const;

export type PodContext = {
  /** The URL of the ad server, which receives the beacons. */
  readonly adServer: string;
  /** The URL of the origin of the creatives. */
  readonly media: string;
  readonly viewer: string;
  readonly breakId: string;
};

const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
const clock = (seconds: number): string => `00:00:${String(seconds).padStart(2, '0')}`;

function writeAd(ad: Advertisement, sequence: number, context: PodContext): string {
  const query = new URLSearchParams({ ad: ad.id, viewer: context.viewer, break: context.breakId });
  const beacon = (event: string): string => cdata(`${context.adServer}/beacon/${event}?${query}`);
  const tracking = trackedEvents.slice(1).map((event) => `<Tracking event="${event}">${beacon(event)}</Tracking>`);
  return `  <Ad id="${ad.id}" sequence="${sequence}">
    <InLine>
      <AdSystem version="1.0">Midroll demo</AdSystem>
      <Error>${cdata(`${context.adServer}/beacon/error?${query}&code=[ERRORCODE]`)}</Error>
      <Impression id="${ad.id}">${beacon('impression')}</Impression>
      <AdServingId>${ad.id}-${sequence}</AdServingId>
      <AdTitle>${ad.title}</AdTitle>
      <Creatives>
        <Creative id="${ad.id}-video" sequence="1">
          <Linear>
            <TrackingEvents>${tracking.join('')}</TrackingEvents>
            <Duration>${clock(ad.seconds)}</Duration>
            <VideoClicks>
              <ClickThrough>${cdata(`${context.adServer}/#${ad.id}`)}</ClickThrough>
              <ClickTracking>${beacon('click')}</ClickTracking>
            </VideoClicks>
            <MediaFiles>
              <MediaFile id="${ad.id}-360" delivery="progressive" type="video/mp4" width="640" height="360" bitrate="200">${cdata(`${context.media}/spots/${ad.id}.mp4`)}</MediaFile>
            </MediaFiles>
          </Linear>
          <UniversalAdId idRegistry="midroll-demo">${ad.id}</UniversalAdId>
        </Creative>
      </Creatives>
    </InLine>
  </Ad>
`;
}

export const writeVastResponse = (pod: readonly Advertisement[], context: PodContext): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<VAST version="4.2" xmlns="http://www.iab.com/VAST">
${pod.map((ad, index) => writeAd(ad, index + 1, context)).join('')}</VAST>
`;
