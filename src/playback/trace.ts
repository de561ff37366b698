// What an operator sees of a session: its breaks, asked and answered, each ad with its fate.
import type { AdRecord, BreakRecord } from '../ads/breakRecord.ts';
import type { SessionStore } from '../sessions/ports.ts';
import type { Session } from '../sessions/session.ts';

const MOST_BREAKS = 500;

/** The ad without what only the feeds need. */
function fate({ vast: _, ...ad }: AdRecord) {
  return ad;
}

const story = ({ ads, ...rest }: BreakRecord) => ({ ...rest, ads: ads.map(fate) });

const summary = ({ id, channelId, format, openedAt }: Session) => ({
  id,
  channel: channelId,
  format,
  openedAt: new Date(openedAt).toISOString(),
});

/** undefined when the tenant has no such session. */
export async function traceSession(store: SessionStore, id: string, tenant: string) {
  const state = await store.find(id);
  if (state === undefined || state.session.tenant !== tenant) return undefined;
  const breaks = await store.breaks(id, MOST_BREAKS);
  return { ...summary(state.session), parameters: state.session.parameters, breaks: breaks.map(story) };
}

export async function listSessions(store: SessionStore, channelId: string, page: { offset: number; limit: number }) {
  const { total, items } = await store.list(channelId, page);
  return { total, items: items.map(summary) };
}
