// SPDX-License-Identifier: Apache-2.0
// Confirmations of players that an event happened (POST /tracking/:sessionId/confirmations). They are stored in addition to
// what was delivered. A player can confirm each event of its session's ads once, which limits their number.
import { type BreakRecord, stitchedAds } from '../../ads/record/breakRecord.ts';
import { type Millis, millis } from '../../time/units.ts';

export type Confirmation = {
  readonly breakId: string;
  /** Empty for events of the break. */
  readonly adId: string;
  readonly event: string;
  readonly at: Millis;
  /** When it happened, according to the player. */
  readonly playerAt?: Millis;
};

export type ConfirmationStore = {
  /** Stores new confirmations until the session expires. @returns how many were new */
  add(sessionId: string, confirmations: readonly Confirmation[]): Promise<number>;
  /** In the order of arrival. */
  ofSession(sessionId: string): Promise<Confirmation[]>;
};

export const MAX_EVENTS = 100;

const breakEventNames = ['breakStart', 'breakEnd'];
const adEventNames = (
  'impression creativeView loaded start firstQuartile midpoint thirdQuartile complete progress mute unmute pause resume ' +
  'rewind skip fullscreen exitFullscreen playerExpand playerCollapse expand collapse adExpand adCollapse close closeLinear ' +
  'click clickThrough clickTracking acceptInvitation acceptInvitationLinear interactiveStart viewable notViewable ' +
  'viewUndetermined error'
).split(' ');

/** Makes FIRST_QUARTILE and firstQuartile equal. */
const normalize = (name: string): string => name.replaceAll('_', '').toLowerCase();
const eventNames = new Map([...breakEventNames, ...adEventNames].map((name) => [normalize(name), name]));

const excerpt = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 60);

/** @returns the ad or break of the session that the entry identifies */
function subjectOf(entry: Readonly<Record<string, unknown>>, isBreakEvent: boolean, records: readonly BreakRecord[]) {
  const { adId, breakId } = entry;
  if (isBreakEvent && breakId !== undefined) {
    const record = records.find(({ id }) => id === breakId);
    return record === undefined ? undefined : { breakId: record.id, adId: '' };
  }
  const record = records.find((one) => stitchedAds(one).some((ad) => ad.adId === adId));
  return record === undefined ? undefined : { breakId: record.id, adId: isBreakEvent ? '' : (adId as string) };
}

function readTime(value: unknown): Millis | undefined | 'invalid' {
  if (value === undefined || value === null) return undefined;
  const at = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) && at >= 0 && at < 1e14 ? millis(Math.round(at)) : 'invalid';
}

function readOne(value: unknown, records: readonly BreakRecord[], now: Millis): Confirmation | string {
  if (typeof value !== 'object' || value === null) return `event must be an object; got ${excerpt(value)}`;
  const entry = value as Readonly<Record<string, unknown>>;
  const { eventType } = entry;
  const event = typeof eventType === 'string' ? eventNames.get(normalize(eventType)) : undefined;
  if (event === undefined) return `eventType must be a VAST or VMAP event; got ${excerpt(eventType)}`;
  const isBreakEvent = breakEventNames.includes(event);
  const subject = subjectOf(entry, isBreakEvent, records);
  if (subject === undefined) {
    const [name, value] =
      isBreakEvent && entry.breakId !== undefined ? ['breakId', entry.breakId] : ['adId', entry.adId];
    return `${name} must be one of this session; got ${excerpt(value)}`;
  }
  const playerAt = readTime(entry.at);
  if (playerAt === 'invalid') return `at must be an ISO 8601 date or milliseconds since 1970; got ${excerpt(entry.at)}`;
  return { ...subject, event, at: now, ...(playerAt === undefined ? {} : { playerAt }) };
}

/** @returns valid and refused confirmations, or a description of what is wrong with the body */
export function readConfirmations(body: unknown, records: readonly BreakRecord[], now: Millis) {
  const events = (body as { events?: unknown } | null | undefined)?.events;
  if (!Array.isArray(events)) return 'The body must be {"events": [{"adId": "…", "eventType": "start"}, …]}.';
  if (events.length > MAX_EVENTS) return `"events" must have at most ${MAX_EVENTS} entries; got ${events.length}.`;
  const read = events.map((one) => readOne(one, records, now));
  return {
    confirmed: read.flatMap((one) => (typeof one === 'string' ? [] : [one])),
    refused: read.flatMap((one, index) => (typeof one === 'string' ? [{ index, reason: one }] : [])),
  };
}
