// SPDX-License-Identifier: Apache-2.0
// An ad server and tracking host of a benchmark, as a process of its own (startAds.ts). It counts the requests of each installation,
// which its paths begin with: `/0/vast`, `/0/t`. `/0/figures` returns the counts. `/0/openrtb` is a bidder: one bid for each creative.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AdFigures } from './scaling/figures.ts';
import type { AdSetup } from './startAds.ts';

const { creatives, seconds, ads, latencyMs } = JSON.parse(process.argv[2]!) as AdSetup;
const EVENTS = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];
const counts = new Map<string, { -readonly [name in keyof AdFigures]: number }>();
let origin = '';

/** An ad of 2 to 3 KB, a usual size: an impression, and six events that the server can observe. No other ad has its URLs. */
function writeAd(place: number, number: number, base: string, viewer: string, break_: string): string {
  const signature = break_.padEnd(48, '0');
  const tell = (event: string) =>
    `<![CDATA[${base}/t?e=${event}&ad=${number}&v=${viewer}&sig=${signature}&cb=[CACHEBUSTING]]]>`;
  const events = [...EVENTS, 'creativeView', 'mute', 'unmute', 'pause', 'resume'];
  const tracking = events.map((event) => `<Tracking event="${event}">${tell(event)}</Tracking>`).join('\n');
  return `<Ad id="${number}" sequence="${place}"><InLine><AdSystem>bench</AdSystem><AdTitle>Ad ${number}</AdTitle>
<Impression>${tell('impression')}</Impression><Error>${tell('error')}&amp;code=[ERRORCODE]</Error><Creatives><Creative id="c${number}">
<UniversalAdId idRegistry="bench">bench-${number}</UniversalAdId><Linear><Duration>00:00:${String(seconds).padStart(2, '0')}</Duration>
<TrackingEvents>${tracking}</TrackingEvents><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="160" height="90" bitrate="200">
<![CDATA[${creatives[number]}]]></MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad>`;
}

function sendAds(response: ServerResponse, installation: string, viewer: string, break_: string): number {
  const first = Number.parseInt(viewer.slice(0, 6), 16) + break_.length;
  const pod = Array.from({ length: ads }, (_, place) =>
    writeAd(place + 1, (first + place) % creatives.length, `${origin}/${installation}`, viewer, break_),
  );
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<VAST version="4.2">${pod.join('\n')}</VAST>`;
  setTimeout(() => response.writeHead(200, { 'content-type': 'application/xml' }).end(body), latencyMs);
  return Buffer.byteLength(body);
}

type BidRequest = { readonly id: string; readonly imp: readonly [{ readonly video: { readonly podid: string } }] };

function sendBids(response: ServerResponse, installation: string, { id, imp: [{ video }] }: BidRequest): void {
  const bid = creatives.map((_, number) => {
    const ad = writeAd(1, number, `${origin}/${installation}`, id, video.podid).replace(' sequence="1"', '');
    const adm = `<VAST version="4.2">${ad}</VAST>`;
    const names = { crid: `bench-${number}`, adomain: [`${number}.example`], cat: [`IAB${number}`] };
    const burl = `${origin}/${installation}/t?e=bill&ad=${number}&v=${id}&cb=1`;
    return { id: `${number}`, impid: '1', price: 5 + number, adm, dur: seconds, mtype: 2, burl, ...names };
  });
  const body = JSON.stringify({ id, cur: 'USD', seatbid: [{ seat: 'bench', bid }] });
  setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), latencyMs);
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url!, 'http://host');
  const [, installation, what] = pathname.split('/') as [string, string, string];
  const own = counts.get(installation) ?? { requests: 0, bytes: 0, beacons: 0, distinctBeacons: 0, repeated: 0 };
  counts.set(installation, own);
  if (what === 'figures') return response.end(JSON.stringify(own));
  if (what === 'openrtb') {
    own.requests += 1;
    void text(request).then((body) => sendBids(response, installation, JSON.parse(body)));
    return;
  }
  if (what === 'vast') {
    own.requests += 1;
    const [viewer, break_] = [searchParams.get('session')!, searchParams.get('break')!];
    if (asked.has(`${viewer} ${break_}`)) own.repeated += 1;
    asked.add(`${viewer} ${break_}`);
    own.bytes += sendAds(response, installation, viewer, break_);
    return;
  }
  own.beacons += 1;
  const beacon = request.url!.slice(0, request.url!.indexOf('&cb='));
  if (!received.has(beacon)) own.distinctBeacons += 1;
  received.add(beacon);
  return response.writeHead(204, { 'content-length': '0' }).end();
});
const asked = new Set<string>();
const received = new Set<string>();
server.keepAliveTimeout = 60_000;
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.send?.({ url: origin });
});
