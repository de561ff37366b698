// SPDX-License-Identifier: Apache-2.0
// Sessions as viewers leave them: breaks of two minutes with four ads of half a minute. Each ad has three media files and 24
// tracking URLs, with a token of 96 random characters, as ad servers write them.
import { randomBytes } from 'node:crypto';
import { pack } from '../../src/adapters/packJson.ts';
import type { AdRecord, BreakRecord } from '../../src/ads/record/breakRecord.ts';
import type { AdResponseReader } from '../../src/ads/request/ports.ts';
import { keepBreak } from '../../src/playback/view/trace.ts';
import { breakFillOf } from '../../src/sessions/history/breakFill.ts';
import type { Ended, KeptBreak } from '../../src/sessions/history/ports.ts';
import { millis } from '../../src/time/units.ts';

const ADS = 4;
const AD_SECONDS = 30;
const EVENTS = [
  'creativeView',
  'start',
  'firstQuartile',
  'midpoint',
  'thirdQuartile',
  'complete',
  'mute',
  'unmute',
  'pause',
  'resume',
];

const cdata = (text: string) => `<![CDATA[${text}]]>`;

function writeAd(id: string): string {
  const token = randomBytes(72).toString('base64url');
  const own = (event: string) =>
    cdata(`https://ads.example.com/track/v2/event?e=${event}&t=${token}&cb=[CACHEBUSTING]&ts=[TIMESTAMP]`);
  const other = (event: string) => cdata(`https://measure.example.net/m?ev=${event}&id=${id}&tk=${token.slice(0, 32)}`);
  const events = EVENTS.map(
    (name) => `<Tracking event="${name}">${own(name)}</Tracking><Tracking event="${name}">${other(name)}</Tracking>`,
  );
  const files = [400, 1200, 3500].map(
    (rate) =>
      `<MediaFile delivery="progressive" type="video/mp4" width="1280" height="720" bitrate="${rate}">${cdata(`https://cdn.example.com/creatives/${id}/${rate}.mp4`)}</MediaFile>`,
  );
  return `<Ad id="${id}"><InLine><AdSystem version="5">Example Ad Server</AdSystem><AdTitle>Spring campaign ${id}</AdTitle><Advertiser>Example Brand</Advertiser>
<Error>${own('error')}</Error><Impression>${own('impression')}</Impression><Impression>${other('impression')}</Impression>
<Creatives><Creative id="creative-${id}"><UniversalAdId idRegistry="ad-id.org">EX${id}H</UniversalAdId><Linear><Duration>00:00:${AD_SECONDS}</Duration>
<TrackingEvents>${events.join('')}</TrackingEvents><VideoClicks><ClickThrough>${own('click')}</ClickThrough></VideoClicks>
<MediaFiles>${files.join('')}</MediaFiles></Linear></Creative></Creatives></InLine></Ad>`;
}

/** The record of a break, from an ad response that was read as that of a viewer. */
export async function typicalRecord(id: string, startsAt: number, reader: AdResponseReader): Promise<BreakRecord> {
  const names = Array.from({ length: ADS }, () => randomBytes(4).readUInt32BE().toString());
  const text = `<?xml version="1.0" encoding="UTF-8"?><VAST version="4.2">${names.map(writeAd).join('')}</VAST>`;
  const bytes = new TextEncoder().encode(text);
  const { document, raw } = await reader.read({ url: '', bytes, contentType: 'text/xml' });
  if (!('ads' in document)) throw new Error('The ad response cannot be read.');
  const ads = document.ads.map(
    (vast, index): AdRecord => ({
      ...{ adId: `${id}-${index}`, creativeId: `creative-${names[index]}`, title: `Spring campaign ${names[index]}` },
      ...{ duration: AD_SECONDS, outcome: 'stitched', creative: { use: 'conditioned' }, vast },
      startsAt: new Date(startsAt + index * AD_SECONDS * 1000).toISOString(),
      assetUrl: `https://cdn.example.com/creatives/${names[index]}/3500.mp4`,
    }),
  );
  const url = `https://ads.example.com/vast?pos=${id}&dur=120&w=1920&h=1080&ua=${encodeURIComponent(viewer.userAgent)}&ip=${viewer.address}&cb=${randomBytes(4).readUInt32BE()}`;
  return {
    ...{
      id,
      startsAt: new Date(startsAt).toISOString(),
      duration: ADS * AD_SECONDS,
      status: 'filled',
      warnings: [],
      slate: 0,
    },
    ...{ ads, limits: { duration: ADS * AD_SECONDS }, request: { url, status: 200, ms: 80 } },
    response: { version: '4.2', bytes: bytes.length, raw },
  };
}

const viewer = {
  address: '203.0.113.77',
  userAgent:
    'Mozilla/5.0 (Linux; Android 12; SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537.36',
};
const owner = { tenant: 'default', channelId: 'c' };
const HOUR = 3_600_000;

export type Kept = { readonly session: Ended; readonly breaks: readonly KeptBreak[]; readonly jsonBytes: number };

/** A session of two hours with this many breaks, as it is kept, with all ads delivered. */
export async function typicalSession(
  id: string,
  openedAt: number,
  count: number,
  reader: AdResponseReader,
): Promise<Kept> {
  const seenAt = openedAt + 2 * HOUR;
  const parameters = { device_id: `device-${id}`, genre: 'drama', us_privacy: '1YNN', gdpr: '0' };
  const session: Ended = {
    session: { id, ...owner, format: 'hls', openedAt: millis(openedAt), parameters, viewer },
    ...{ seenAt: millis(seenAt), keptFrom: millis(seenAt + 60_000) },
  };
  let jsonBytes = 0;
  const breaks: KeptBreak[] = [];
  for (let index = 0; index < count; index += 1) {
    const startsAt = openedAt + Math.round(((index + 0.5) * 2 * HOUR) / count);
    const record = await typicalRecord(`1-${index}`, startsAt, reader);
    const ends = Array.from({ length: 15 }, (_, place) => (place + 1) * 2000);
    const all = ends.map((_, place) => place);
    const deliveries = record.ads.map(({ adId }) => ({ adId, ends, requested: { pictures: all, sound: all } }));
    const kept = keepBreak(record, { deliveries, confirmations: [] });
    jsonBytes += JSON.stringify(kept).length;
    breaks.push({
      ...{ ...owner, sessionId: id, breakId: record.id, startsAt, keptFrom: session.keptFrom },
      ...{ fill: breakFillOf(record), body: await pack(kept) },
    });
  }
  return { session, breaks, jsonBytes };
}
