// SPDX-License-Identifier: Apache-2.0
// An ad server that responds to every viewer after 200 ms with two of its ads and counts requests: when they arrived, and
// how many ran at once. It reports to its parent process over IPC.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type AdServerFigures = {
  /** Requests in each second since the epoch. */
  readonly perSecond: Readonly<Record<string, number>>;
  readonly peak: number;
  /** Requests that repeat the viewer and break of an earlier one. */
  readonly repeated: number;
};

const media = JSON.parse(process.argv[2]!) as { readonly urls: readonly string[]; readonly seconds: number };
const LATENCY_MS = 200;
const QUARTILES = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];
const EVENTS = ['creativeView', ...QUARTILES, 'mute', 'unmute', 'pause', 'resume', 'rewind'];

const perSecond: Record<string, number> = {};
const asked = new Map<string, number>();
let now = 0;
let peak = 0;

/** An ad of 2 to 3 KB, a usual size: an impression and eleven events with long tracking URLs. */
const writeAd = (number: number, sequence: number, viewer: string): string => {
  const tell = (event: string) =>
    `<![CDATA[http://127.0.0.1:9/t?e=${event}&ad=${number}&v=${viewer}&sig=5f2b9c1d7e8a4b6092c3d4e5f60718293a4b5c6d7e8f9012]]>`;
  const events = EVENTS.map((event) => `<Tracking event="${event}">${tell(event)}</Tracking>`).join('\n');
  return `<Ad id="${number}" sequence="${sequence}"><InLine><AdSystem>bench</AdSystem><AdTitle>Ad ${number}</AdTitle>
<Impression>${tell('impression')}</Impression><Error>${tell('error')}&amp;code=[ERRORCODE]</Error><Creatives><Creative id="c${number}">
<UniversalAdId idRegistry="bench">bench-${number}</UniversalAdId><Linear><Duration>00:00:${String(media.seconds).padStart(2, '0')}</Duration>
<TrackingEvents>${events}</TrackingEvents><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="160" height="90" bitrate="200">
<![CDATA[${media.urls[number]}]]></MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad>`;
};

const server = createServer((request, response) => {
  const query = new URL(request.url!, 'http://host').searchParams;
  const [viewer, key] = [query.get('session')!, `${query.get('session')} ${query.get('break')}`];
  const second = String(Math.floor(Date.now() / 1000));
  perSecond[second] = (perSecond[second] ?? 0) + 1;
  asked.set(key, (asked.get(key) ?? 0) + 1);
  now += 1;
  peak = Math.max(peak, now);
  const first = Number.parseInt(viewer.slice(0, 6), 16) % media.urls.length;
  setTimeout(() => {
    now -= 1;
    const ads = [first, (first + 1) % media.urls.length].map((number, index) => writeAd(number, index + 1, viewer));
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(`<?xml version="1.0" encoding="UTF-8"?>\n<VAST version="4.2">${ads.join('\n')}</VAST>`);
  }, LATENCY_MS);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => {
  const repeated = [...asked.values()].filter((times) => times > 1).length;
  process.send?.({ perSecond, peak, repeated } satisfies AdServerFigures);
});
process.on('disconnect', () => process.exit());
