// SPDX-License-Identifier: Apache-2.0
// A client of the tracking feed, written from the public description of the format only. It polls, follows pages, stores avails
// by id and returns the beacons that are due during playback.

/** All fields of the format by path; paths of arrays refer to their entries. */
const fields = {
  '': 'avails nonLinearAvails nextToken dashAvailabilityStartTime hlsAnchorMediaSequenceNumber',
  avails:
    'adBreakTrackingEvents adMarkerDuration availId availProgramDateTime duration durationInSeconds startTime ' +
    'startTimeInSeconds meta ads nonLinearAdsList',
  'avails.adBreakTrackingEvents': 'beaconUrls eventType',
  'avails.ads':
    'adId adParameters adProgramDateTime adSystem adTitle adVerifications companionAds creativeId creativeSequence ' +
    'duration durationInSeconds startTime startTimeInSeconds extensions mediaFiles skipOffset trackingEvents vastAdId',
  'avails.ads.adVerifications': 'vendor verificationParameters executableResource javaScriptResource trackingEvents',
  'avails.ads.adVerifications.executableResource': 'apiFramework type uri language',
  'avails.ads.adVerifications.javaScriptResource': 'apiFramework browserOptional uri',
  'avails.ads.adVerifications.trackingEvents': 'event uri',
  'avails.ads.companionAds':
    'adParameters altText attributes companionClickThrough companionClickTracking htmlResource iFrameResource ' +
    'staticResource sequence trackingEvents',
  'avails.ads.companionAds.attributes':
    'adSlotId apiFramework assetHeight assetWidth expandedHeight expandedWidth height id pxratio renderingMode width',
  'avails.ads.companionAds.trackingEvents': 'beaconUrls eventType',
  'avails.ads.extensions': 'type content',
  'avails.ads.mediaFiles': 'mezzanine mediaFilesList',
  'avails.ads.mediaFiles.mediaFilesList':
    'apiFramework bitrate codec delivery height id maintainAspectRatio maxBitrate mediaFileUri mediaType minBitrate ' +
    'scalable width',
  'avails.ads.trackingEvents':
    'beaconUrls eventId eventType duration durationInSeconds eventProgramDateTime startTime startTimeInSeconds',
  'avails.nonLinearAdsList': 'extensions nonLinearAdList trackingEvents',
  'avails.nonLinearAdsList.nonLinearAdList':
    'adId adParameters adSystem adTitle apiFramework clickThrough clickTracking clickTrackingId creativeAdId creativeId ' +
    'creativeSequence duration durationInSeconds expandedHeight expandedWidth height htmlResource iFrameResource ' +
    'maintainAspectRatio minSuggestedDuration scalable staticResource staticResourceCreativeType width',
  'avails.nonLinearAdsList.trackingEvents':
    'beaconUrls duration durationInSeconds eventId eventProgramDateTime eventType startTime startTimeInSeconds',
} as const;

type Json = { readonly [name: string]: unknown };

function objectsAt(response: Json, path: string): Json[] {
  return path
    .split('.')
    .filter((name) => name !== '')
    .reduce((all, name) => all.flatMap((one) => (one[name] ?? []) as Json[]), [response]);
}

/** Fields of the format that the response does not contain. */
export const missingFields = (response: Json): string[] =>
  Object.entries(fields).flatMap(([path, names]) =>
    objectsAt(response, path).flatMap((one) =>
      names.split(' ').flatMap((name) => (name in one ? [] : [`${path}.${name}`])),
    ),
  );

type TrackingEvent = { readonly beaconUrls: string[]; readonly eventId: string; readonly eventType: string } & {
  readonly startTimeInSeconds: number;
  readonly eventProgramDateTime: string | null;
};
type Ad = { readonly adId: string; readonly startTimeInSeconds: number; readonly durationInSeconds: number } & {
  readonly adProgramDateTime: string;
  readonly trackingEvents: TrackingEvent[];
};
export type Avail = { readonly availId: string; readonly startTimeInSeconds: number; readonly ads: Ad[] } & {
  readonly adBreakTrackingEvents: { readonly beaconUrls: string[]; readonly eventType: string }[];
  readonly availProgramDateTime: string;
};

export type FeedClient = {
  /** By availId, in the order in which they were received. */
  readonly avails: ReadonlyMap<string, Avail>;
  /** Reads all pages. @returns the last page */
  poll(): Promise<Json>;
  /** The beacons between two presentation times, in order, each once. */
  due(from: number, to: number): string[];
};

/** Events that follow from playback. */
const played = 'impression creativeView start firstQuartile midpoint thirdQuartile complete progress'.split(' ');

export function openFeed(trackingUrl: string): FeedClient {
  const avails = new Map<string, Avail>();
  const fired = new Set<string>();
  const request = async (nextToken?: string): Promise<Json> => {
    const body = nextToken === undefined ? {} : { method: 'POST', body: JSON.stringify({ NextToken: nextToken }) };
    const response = await fetch(trackingUrl, body);
    if (!response.ok) throw new Error(`The feed returned ${response.status}: ${await response.text()}`);
    return (await response.json()) as Json;
  };
  return {
    avails,
    async poll() {
      let page = await request();
      for (;;) {
        for (const avail of page.avails as Avail[]) avails.set(avail.availId, avail);
        if (typeof page.nextToken !== 'string') return page;
        page = await request(page.nextToken);
      }
    },
    due(from, to) {
      const events = [...avails.values()]
        .flatMap(({ ads }) => ads)
        .flatMap(({ trackingEvents }) => trackingEvents)
        .filter(({ eventType, startTimeInSeconds: at }) => played.includes(eventType) && at >= from && at < to)
        .filter(({ eventId }) => !fired.has(eventId))
        .sort((a, b) => a.startTimeInSeconds - b.startTimeInSeconds);
      for (const { eventId } of events) fired.add(eventId);
      return events.flatMap(({ beaconUrls }) => beaconUrls);
    },
  };
}
