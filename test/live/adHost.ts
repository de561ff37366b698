// SPDX-License-Identifier: Apache-2.0
// An ad server whose paths return the ads that a test chooses for each viewer.
import { deferred } from '../deferred.ts';
import { type MisbehavingServer, startMisbehavingServer } from '../servers/misbehavingServer.ts';

export type Ad = {
  readonly id: string;
  /** The duration that the ad response states. */
  readonly seconds: number;
  /** The URL of an MP4. */
  readonly url: string;
  /** Its place in a pod. */
  readonly sequence?: number;
  /** The tracking URL of its events; `[EVENT]` is replaced with the event's name. */
  readonly tracking?: string;
};

const EVENTS = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];
const trackingUrl = (tracking: string, event: string): string => `<![CDATA[${tracking.replace('[EVENT]', event)}]]>`;
const trackingOf = (tracking: string): string =>
  EVENTS.map((event) => `<Tracking event="${event}">${trackingUrl(tracking, event)}</Tracking>`).join('');

const clock = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 23);

const writeAd = ({
  id,
  seconds,
  url,
  tracking,
  sequence,
}: Ad): string => `<Ad id="${id}"${sequence ? ` sequence="${sequence}"` : ''}><InLine><AdSystem>test</AdSystem>
  <AdTitle>Ad ${id}</AdTitle><AdServingId>${id}</AdServingId><Impression>${tracking ? trackingUrl(tracking, 'impression') : ''}</Impression>
  <Creatives><Creative id="creative-${id}"><Linear><Duration>${clock(seconds)}</Duration>
    ${tracking ? `<TrackingEvents>${trackingOf(tracking)}</TrackingEvents>` : ''}<MediaFiles>
    <MediaFile delivery="progressive" type="video/mp4" width="160" height="90"><![CDATA[${url}]]></MediaFile>
  </MediaFiles></Linear></Creative></Creatives></InLine></Ad>`;

export const writeVast = (ads: readonly Ad[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?><VAST version="4.2">${ads.map(writeAd).join('')}</VAST>`;

export type AdHost = MisbehavingServer & {
  /** @param choose returns the ads for a viewer, the `viewer` parameter of the request */
  offer(path: string, choose: (viewer: string) => readonly Ad[]): void;
  /** Redirects a path once it is released. @param location the URL that it leads to */
  hold(path: string, location: string): readonly [url: string, release: () => void];
};

export async function startAdHost(): Promise<AdHost> {
  const server = await startMisbehavingServer();
  return {
    ...server,
    offer: (path, choose) =>
      server.on(path, (response, _, query) => {
        response.writeHead(200, { 'content-type': 'application/xml' });
        response.end(writeVast(choose(query.get('viewer') ?? '')));
      }),
    hold(path, location) {
      const released = deferred();
      server.on(path, (response) => void released.promise.then(() => response.writeHead(302, { location }).end()));
      return [server.url + path, released.resolve];
    },
  };
}
