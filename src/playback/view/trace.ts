// SPDX-License-Identifier: Apache-2.0
// The trace of a session for operators: its breaks with request and response, and the outcome of each ad.

import { adEvents } from '../../ads/record/adEvents.ts';
import type { AdRecord, AskedSource, BreakRecord, TracedRequest } from '../../ads/record/breakRecord.ts';
import { deliveredEvents, deliveredMillis } from '../../ads/record/delivery.ts';
import { showAd } from '../../ads/record/showAd.ts';
import { adRequestHeaders } from '../../ads/request/buildAdRequest.ts';
import { curlCommand } from '../../ads/request/curlCommand.ts';
import type { PastSession } from '../../sessions/history/ports.ts';
import type { OwnedChannel, SessionStore } from '../../sessions/ports.ts';
import { inserterOf } from '../../sessions/session.ts';
import type { Delivered, DeliveryStore } from '../../tracking/deliveries/ports.ts';
import type { Confirmation, ConfirmationStore } from '../../tracking/feed/confirmations.ts';
import type { InLineAd } from '../../vast/response.ts';

const MAX_TRACED_BREAKS = 500;

export type TraceStores = {
  readonly sessions: SessionStore;
  readonly deliveries: DeliveryStore;
  readonly confirmations: ConfirmationStore;
  /** Absent in tests that need none. */
  readonly past?: PastTraces;
};

export type PastTraces = {
  find(id: string, tenant: string): Promise<{ readonly session: PastSession; readonly seenAt: number } | undefined>;
  breaks(sessionId: string, most: number): Promise<readonly TracedRecord[]>;
};

/** What was delivered of a session's ads, and what its player confirmed. */
export type Playback = { readonly deliveries: readonly Delivered[]; readonly confirmations: readonly Confirmation[] };

/** The seconds and events that follow from the requested segments. */
function deliveredOf(ad: AdRecord, { ends, requested }: Delivered = notDelivered) {
  const events =
    ad.vast === undefined ? [] : deliveredEvents(adEvents(ad.vast as InLineAd, ad.duration), ends, requested);
  return { seconds: deliveredMillis(ends, requested) / 1000, events: events.map(({ name }) => name) };
}
const notDelivered: Delivered = { adId: '', ends: [], requested: { pictures: [], sound: [] } };

/** An ad without the fields that only the feeds use. */
function traceAd(ad: AdRecord, deliveries: readonly Delivered[]) {
  const { vast: _, assetUrl: __, ...shown } = ad;
  if (ad.outcome !== 'stitched') return shown;
  return {
    ...shown,
    delivered: deliveredOf(
      ad,
      deliveries.find(({ adId }) => adId === ad.adId),
    ),
  };
}

/** What the player has confirmed; absent if it has confirmed nothing. */
function confirmedOf(confirmations: readonly Confirmation[], breakId: string, adId: string) {
  const events = confirmations
    .filter((one) => one.breakId === breakId && one.adId === adId)
    .map(({ event, at, playerAt }) => ({
      event,
      at: new Date(at).toISOString(),
      ...(playerAt === undefined ? {} : { playerAt: new Date(playerAt).toISOString() }),
    }));
  return events.length === 0 ? {} : { confirmed: { events } };
}

/** The request with a command that repeats it. Records do not contain what the session has. */
function withCurl(request: TracedRequest, ownHeaders: Readonly<Record<string, string>>) {
  const { url, method, body } = request;
  const headers = { ...ownHeaders, ...request.headers };
  const sent = { url, headers, ...(method ? { method } : {}), ...(body === undefined ? {} : { body }) };
  return { ...request, curl: curlCommand(sent) };
}

/** The record as it is shown, with what follows from the session. The history does not contain it. */
const withSession = ({ request, sources, ads, ...rest }: TracedRecord, session: PastSession) => ({
  ...rest,
  ...(request ? { request: withCurl(request, adRequestHeaders(session)) } : {}),
  ...(sources ? { sources: sources.map((one) => showSource(one, session)) } : {}),
  ads: ads.map(showAd),
});

/** `asked` is what was requested. */
const showSource = ({ asked, request, ...rest }: AskedSource, session: PastSession) => ({
  ...rest,
  ...(asked ? { requested: asked } : {}),
  // A bid request has the viewer in its body.
  ...(request ? { request: withCurl(request, rest.type === 'openrtb' ? {} : adRequestHeaders(session)) } : {}),
});

const traceBreak = ({ ads, tracking: _, ...rest }: BreakRecord, { deliveries, confirmations }: Playback) => ({
  ...rest,
  ads: ads.map((ad) => ({ ...traceAd(ad, deliveries), ...confirmedOf(confirmations, rest.id, ad.adId) })),
  ...confirmedOf(confirmations, rest.id, ''),
});

type TracedRecord = ReturnType<typeof traceBreak>;

const summary = (session: PastSession) => {
  const { id, channelId, format, openedAt } = session;
  return {
    id,
    channel: channelId,
    format,
    openedAt: new Date(openedAt).toISOString(),
    insertion: inserterOf(session),
  };
};

/** Breaks that the session store still has, and those in the history. While a break moves there, both have it. */
function mergeBreaks(past: readonly TracedRecord[], living: readonly TracedRecord[]): TracedRecord[] {
  if (past.length === 0) return [...living];
  const known = new Set(living.map(({ id }) => id));
  const startOf = ({ startsAt }: TracedRecord) => Date.parse(startsAt) || 0;
  return [...past.filter(({ id }) => !known.has(id)), ...living].sort((one, other) => startOf(one) - startOf(other));
}

/** @returns undefined if the tenant has no such session, nor had one that is in the history */
export async function traceSession({ sessions, past, ...stores }: TraceStores, id: string, tenant: string) {
  const living = (await sessions.find(id))?.session;
  const ended = living === undefined ? await past?.find(id, tenant) : undefined;
  const session = living ?? ended?.session;
  if (session === undefined || session.tenant !== tenant) return undefined;
  const [breaks, pastBreaks, deliveries, confirmations] = await Promise.all([
    sessions.breaks(id, MAX_TRACED_BREAKS),
    past?.breaks(id, MAX_TRACED_BREAKS) ?? [],
    stores.deliveries.ofSession(id),
    stores.confirmations.ofSession(id),
  ]);
  const traced = breaks.map((one) => traceBreak(one, { deliveries, confirmations }));
  return {
    ...summary(session),
    ...(ended === undefined ? {} : { endedAt: new Date(ended.seenAt).toISOString() }),
    parameters: session.parameters,
    breaks: mergeBreaks(pastBreaks, traced).map((one) => withSession(one, session)),
  };
}

export async function listSessions(
  store: SessionStore,
  channel: OwnedChannel,
  page: { offset: number; limit: number },
) {
  const { total, items } = await store.list(channel, page);
  return { total, items: items.map(summary) };
}

// A break as the history keeps it: as traces show it, and with the ads as read from the ad response. A replay compares ads by the ids
// of the ad server, and the start of a response, which is all that a record has of it, may not contain them.

type TracedAd = TracedRecord['ads'][number];
export type KeptRecord = Omit<TracedRecord, 'ads'> & {
  readonly ads: readonly (TracedAd & Pick<AdRecord, 'vast'>)[];
};

export function keepBreak(record: BreakRecord, playback: Playback): KeptRecord {
  const traced = traceBreak(record, playback);
  return {
    ...traced,
    ads: traced.ads.map((ad, index) => {
      const vast = record.ads[index]?.vast;
      return vast === undefined ? ad : { ...ad, vast };
    }),
  };
}

export const tracedOf = ({ ads, ...rest }: KeptRecord): TracedRecord => ({
  ...rest,
  ads: ads.map(({ vast: _, ...ad }) => ad as TracedAd),
});

type Observed = { readonly delivered?: unknown; readonly confirmed?: unknown };

/** The record of the decision, without what was delivered and confirmed. */
export function recordOf(kept: KeptRecord): BreakRecord {
  const { confirmed: _, ads, ...rest } = kept as KeptRecord & Observed;
  return {
    ...rest,
    ads: ads.map((one) => {
      const { delivered: _delivered, confirmed: _confirmed, ...ad } = one as typeof one & Observed;
      return ad;
    }),
  };
}
