// What an operator sees of a session: its breaks, asked and answered, each ad with its fate.
import { adEvents } from '../ads/adEvents.ts';
import type { AdRecord, BreakRecord } from '../ads/breakRecord.ts';
import { deliveredEvents, deliveredMillis } from '../ads/delivery.ts';
import type { SessionStore } from '../sessions/ports.ts';
import type { Session } from '../sessions/session.ts';
import type { Delivered, DeliveryStore } from '../tracking/ports.ts';
import type { InLineAd } from '../vast/response.ts';

const MOST_BREAKS = 500;

/** Seconds and events that follow from the segments that were asked for. */
function deliveredOf(ad: AdRecord, { ends, asked }: Delivered = nothing) {
  const events = ad.vast === undefined ? [] : deliveredEvents(adEvents(ad.vast as InLineAd, ad.duration), ends, asked);
  return { seconds: deliveredMillis(ends, asked) / 1000, events: events.map(({ name }) => name) };
}
const nothing: Delivered = { adId: '', ends: [], asked: { pictures: [], sound: [] } };

/** The ad without what only the feeds need. */
function fate(ad: AdRecord, deliveries: readonly Delivered[]) {
  const { vast: _, ...shown } = ad;
  if (ad.outcome !== 'stitched') return shown;
  return {
    ...shown,
    delivered: deliveredOf(
      ad,
      deliveries.find(({ adId }) => adId === ad.adId),
    ),
  };
}

const story = ({ ads, tracking: _, ...rest }: BreakRecord, deliveries: readonly Delivered[]) => ({
  ...rest,
  ads: ads.map((ad) => fate(ad, deliveries)),
});

const summary = ({ id, channelId, format, openedAt }: Session) => ({
  id,
  channel: channelId,
  format,
  openedAt: new Date(openedAt).toISOString(),
});

/** undefined when the tenant has no such session. */
export async function traceSession(store: SessionStore, deliveries: DeliveryStore, id: string, tenant: string) {
  const state = await store.find(id);
  if (state === undefined || state.session.tenant !== tenant) return undefined;
  const [breaks, delivered] = await Promise.all([store.breaks(id, MOST_BREAKS), deliveries.ofSession(id)]);
  const { parameters } = state.session;
  return { ...summary(state.session), parameters, breaks: breaks.map((one) => story(one, delivered)) };
}

export async function listSessions(store: SessionStore, channelId: string, page: { offset: number; limit: number }) {
  const { total, items } = await store.list(channelId, page);
  return { total, items: items.map(summary) };
}
