// SPDX-License-Identifier: Apache-2.0
// Compares readVast with the independent parser @dailymotion/vast-client: the same ads, media files and tracking URLs, with
// and without wrappers. Intended differences are commented.
import { VASTClient } from '@dailymotion/vast-client';
import { describe, expect, it } from 'vitest';
import { serveInTests } from '../../../test/serve.ts';
import { readVastOrThrow } from '../../../test/vast/readVastOrThrow.ts';
import { flicksToSeconds } from '../../time/units.ts';
import { mergeWrapper } from '../mergeWrapper.ts';
import type { Creative, InLineAd, VastAd, WrapperAd } from '../response.ts';

const documents = new Map<string, string>();
const base = await serveInTests((request, response) => {
  response.setHeader('content-type', 'application/xml');
  response.end(documents.get(request.url ?? ''));
});

type TheirUrl = { url: string; id?: string | null };
type TheirAd = {
  id: string;
  sequence: string | null;
  title: string | null;
  advertiser: { value: string } | null;
  categories: { value: string }[];
  impressionURLTemplates: TheirUrl[];
  errorURLTemplates: string[];
  adVerifications: { resource: string; vendor: string | null }[];
  creatives: (
    | {
        type: 'linear';
        duration: number;
        mediaFiles: { fileURL: string; mimeType: string; width: number; height: number; bitrate: number }[];
        trackingEvents: Record<string, string[]>;
        videoClickThroughURLTemplate: TheirUrl | null;
        videoClickTrackingURLTemplates: TheirUrl[];
        universalAdIds: { idRegistry: string; value: string }[];
        icons: { program: string; staticResource: string }[];
      }
    | {
        type: 'companion';
        variations: { staticResources: { url: string }[]; companionClickThroughURLTemplate: string }[];
      }
  )[];
};

/** What both parsers return, in a common form. */
type ComparableAd = Record<string, unknown>;
const sorted = (all: readonly string[]): string[] => [...all].sort();

function theirLinear(ad: TheirAd): ComparableAd[] {
  return ad.creatives.flatMap((creative) => {
    if (creative.type !== 'linear') return [];
    const { duration, mediaFiles, trackingEvents, icons } = creative;
    return {
      duration,
      media: mediaFiles.map((one) => [one.fileURL, one.mimeType, one.width, one.height, one.bitrate]),
      // vast-client uses the offset in seconds as part of the event name.
      events: sorted(Object.entries(trackingEvents).flatMap(([event, urls]) => urls.map((url) => `${event} ${url}`))),
      through: creative.videoClickThroughURLTemplate?.url,
      clicks: sorted(creative.videoClickTrackingURLTemplates.map(({ url }) => url)),
      ids: creative.universalAdIds.map(({ idRegistry, value }) => [idRegistry, value]),
      icons: sorted(icons.map(({ program, staticResource }) => `${program} ${staticResource}`)),
    };
  });
}

function ourLinear({ linear, universalAdIds }: Creative): ComparableAd[] {
  if (linear === undefined) return [];
  const ours = {
    duration: linear.duration && flicksToSeconds(linear.duration),
    media: linear.mediaFiles.map((one) => [one.url, one.type, one.width ?? 0, one.height ?? 0, one.bitrate ?? 0]),
    events: sorted(
      linear.trackingEvents.map(({ event, url, offset }) => {
        const at = offset?.kind === 'time' ? flicksToSeconds(offset.at) : `${offset?.percent}%`;
        return `${event}${event === 'progress' ? `-${at}` : ''} ${url}`;
      }),
    ),
    through: linear.clickThrough?.url,
    clicks: sorted(linear.clickTrackings.map(({ url }) => url)),
    ids: universalAdIds.map(({ registry, value }) => [registry, value]),
    icons: sorted(linear.icons.map(({ program, staticResources }) => `${program} ${staticResources[0]!.url}`)),
  };
  return [ours];
}

const theirs = (ad: TheirAd): ComparableAd => ({
  id: ad.id,
  sequence: ad.sequence === null ? undefined : Number(ad.sequence),
  title: ad.title ?? undefined,
  advertiser: ad.advertiser?.value,
  categories: ad.categories.map(({ value }) => value),
  impressions: sorted(ad.impressionURLTemplates.map(({ url }) => url)),
  errors: sorted(ad.errorURLTemplates),
  verifications: sorted(ad.adVerifications.map(({ resource }) => resource)),
  linear: theirLinear(ad),
  companions: ad.creatives.flatMap((creative) =>
    creative.type === 'companion' ? creative.variations.map(({ staticResources }) => staticResources[0]?.url) : [],
  ),
});

const ours = (ad: InLineAd): ComparableAd => ({
  id: ad.id,
  sequence: ad.sequence,
  title: ad.adTitle,
  advertiser: ad.advertiser,
  categories: ad.categories.map(({ value }) => value),
  impressions: sorted(ad.impressions.map(({ url }) => url)),
  errors: sorted(ad.errorUrls),
  verifications: sorted(ad.verifications.flatMap((one) => one.javaScriptResources.map(({ url }) => url))),
  linear: ad.creatives.flatMap(ourLinear),
  companions: ad.creatives.flatMap(
    ({ companionAds }) => companionAds?.companions.map(({ staticResources }) => staticResources[0]?.url) ?? [],
  ),
});

async function readWithClient(document: string): Promise<ComparableAd[]> {
  documents.set('/vast', document);
  const response = (await new VASTClient().get(`${base}/vast`)) as unknown as { ads: TheirAd[] };
  return response.ads.map(theirs);
}

function adsOf(document: string): readonly VastAd[] {
  const { ads, warnings } = readVastOrThrow(document);
  expect(warnings).toEqual([]);
  return ads;
}

const linear = (name: string, more = ''): string => `
  <Creative id="${name}" sequence="1"><UniversalAdId idRegistry="Ad-ID">${name}-1</UniversalAdId><UniversalAdId idRegistry="Other">${name}-2</UniversalAdId>
  <Linear skipoffset="00:00:05"><Icons><Icon program="${name}" width="5" height="5" xPosition="left" yPosition="top"><StaticResource creativeType="image/png">https://${name}.example/icon.png</StaticResource></Icon></Icons>
  <Duration>00:00:15.500</Duration><TrackingEvents>
  ${['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete', 'mute'].map((event) => `<Tracking event="${event}"><![CDATA[https://${name}.example/${event}?a=1&b=[CACHEBUSTING]]]></Tracking>`).join('\n')}
  <Tracking event="start">https://${name}.example/start-again</Tracking><Tracking event="progress" offset="00:00:10">https://${name}.example/progress</Tracking>
  <Tracking event="progress" offset="40%">https://${name}.example/percent</Tracking></TrackingEvents>
  <VideoClicks><ClickThrough>https://${name}.example/</ClickThrough><ClickTracking id="x">https://${name}.example/click</ClickTracking></VideoClicks>
  <MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="1280" height="720" bitrate="2500"> <![CDATA[ https://${name}.example/720.mp4 ]]> </MediaFile>
  <MediaFile delivery="progressive" type="video/mp4" width="640" height="360" bitrate="800">https://${name}.example/360.mp4</MediaFile>
  <MediaFile delivery="streaming" type="application/x-mpegURL" width="1280" height="720">https://${name}.example/master.m3u8</MediaFile></MediaFiles>${more}</Linear></Creative>`;
const companion = (name: string): string =>
  `<Creative><CompanionAds><Companion width="300" height="250"><StaticResource creativeType="image/png">https://${name}.example/companion.png</StaticResource><CompanionClickThrough>https://${name}.example/c</CompanionClickThrough></Companion></CompanionAds></Creative>`;
const common = (name: string): string =>
  `<AdSystem version="1">${name}</AdSystem><Error><![CDATA[https://${name}.example/error?c=[ERRORCODE]]]></Error><Impression id="1">https://${name}.example/impression?1</Impression><Impression>https://${name}.example/impression?2</Impression>
  <AdVerifications><Verification vendor="v"><JavaScriptResource apiFramework="omid" browserOptional="true">https://${name}.example/verify.js</JavaScriptResource></Verification></AdVerifications>`;
const inLine = (name: string, attributes: string, creatives = linear(name)): string =>
  `<Ad id="${name}" ${attributes}><InLine>${common(name)}<AdTitle>Title of ${name}</AdTitle><Advertiser>${name} inc</Advertiser><Category authority="https://iab.example/">IAB1-${name}</Category><Creatives>${creatives}</Creatives></InLine></Ad>`;
const vast = (content: string, version = '4.2'): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<VAST version="${version}">${content}</VAST>`;

describe('readVast agrees with vast-client on', () => {
  it.each(['2.0', '3.0', '4.0', '4.2'])('a single ad, version %s', async (version) => {
    const document = vast(inLine('one', '', linear('one') + companion('one')), version);
    expect(adsOf(document).map((ad) => ours(ad as InLineAd))).toEqual(await readWithClient(document));
  });

  it('a pod', async () => {
    const document = vast(inLine('a', 'sequence="1"') + inLine('b', 'sequence="2"') + inLine('c', 'sequence="3"'));
    const read = adsOf(document).map((ad) => ours(ad as InLineAd));
    expect(read).toHaveLength(3);
    expect(read).toEqual(await readWithClient(document));
  });

  it('a chain of wrappers, merged from the inside out', async () => {
    const wrapping = (name: string, path: string, creatives: string): string =>
      vast(
        `<Ad id="${name}"><Wrapper>${common(name)}<Creatives>${creatives}</Creatives><VASTAdTagURI><![CDATA[${base}${path}]]></VASTAdTagURI></Wrapper></Ad>`,
      );
    const bare = (name: string): string =>
      `<Creative><Linear><TrackingEvents><Tracking event="start">https://${name}.example/start</Tracking><Tracking event="progress" offset="00:00:03">https://${name}.example/p3</Tracking></TrackingEvents><VideoClicks><ClickTracking>https://${name}.example/click</ClickTracking></VideoClicks></Linear></Creative>`;
    const [outer, middle, inner] = [
      wrapping('outer', '/middle', bare('outer')),
      wrapping('middle', '/inner', bare('middle')),
      vast(inLine('inner', '', linear('inner'))),
    ];
    documents.set('/middle', middle!).set('/inner', inner!);
    const merged = [middle, outer].reduce(
      (ad, wrapper) => mergeWrapper(adsOf(wrapper!)[0] as WrapperAd, ad),
      adsOf(inner!)[0] as InLineAd,
    );
    expect([ours(merged)]).toEqual(await readWithClient(outer!));
  });
});
