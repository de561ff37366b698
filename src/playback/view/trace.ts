// SPDX-License-Identifier: Apache-2.0
// The trace of a session for operators: its breaks with request and response, and the outcome of each ad.
import { adEvents } from '../../ads/record/adEvents.ts';
import type { AdRecord, BreakRecord, TracedRequest } from '../../ads/record/breakRecord.ts';
import { deliveredEvents, deliveredMillis } from '../../ads/record/delivery.ts';
import { viewerHeaders } from '../../ads/request/buildAdRequest.ts';
import { curlCommand } from '../../ads/request/curlCommand.ts';
import type { OwnedChannel, SessionStore } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import type { Delivered, DeliveryStore } from '../../tracking/deliveries/ports.ts';
import type { Confirmation, ConfirmationStore } from '../../tracking/feed/confirmations.ts';
import type { InLineAd } from '../../vast/response.ts';

const MAX_TRACED_BREAKS = 500;

export type TraceStores = {
  readonly sessions: SessionStore;
  readonly deliveries: DeliveryStore;
  readonly confirmations: ConfirmationStore;
};

/** What was delivered of a session's ads, and what its player confirmed. */
type Playback = { readonly deliveries: readonly Delivered[]; readonly confirmations: readonly Confirmation[] };

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
export function withCurl(request: TracedRequest, { viewer }: Pick<Session, 'viewer'>) {
  const { url, method, body } = request;
  const headers = { ...viewerHeaders(viewer), ...request.headers };
  const sent = { url, headers, ...(method ? { method } : {}), ...(body === undefined ? {} : { body }) };
  return { ...request, curl: curlCommand(sent) };
}

const traceBreak = (
  { ads, tracking: _, request, ...rest }: BreakRecord,
  session: Session,
  { deliveries, confirmations }: Playback,
) => ({
  ...rest,
  ...(request ? { request: withCurl(request, session) } : {}),
  ads: ads.map((ad) => ({ ...traceAd(ad, deliveries), ...confirmedOf(confirmations, rest.id, ad.adId) })),
  ...confirmedOf(confirmations, rest.id, ''),
});

const summary = ({ id, channelId, format, openedAt }: Session) => ({
  id,
  channel: channelId,
  format,
  openedAt: new Date(openedAt).toISOString(),
});

/** @returns undefined if the tenant has no such session */
export async function traceSession({ sessions, ...stores }: TraceStores, id: string, tenant: string) {
  const state = await sessions.find(id);
  if (state === undefined || state.session.tenant !== tenant) return undefined;
  const [breaks, deliveries, confirmations] = await Promise.all([
    sessions.breaks(id, MAX_TRACED_BREAKS),
    stores.deliveries.ofSession(id),
    stores.confirmations.ofSession(id),
  ]);
  const traced = breaks.map((one) => traceBreak(one, state.session, { deliveries, confirmations }));
  return { ...summary(state.session), parameters: state.session.parameters, breaks: traced };
}

export async function listSessions(
  store: SessionStore,
  channel: OwnedChannel,
  page: { offset: number; limit: number },
) {
  const { total, items } = await store.list(channel, page);
  return { total, items: items.map(summary) };
}
