// What players say that they have shown (POST /tracking/:sessionId/confirmations): kept beside what was delivered, never
// instead of it. A player can only confirm what its session was given, each event of an ad once, so a session's
// confirmations are bounded by its ads.
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import { type Millis, millis } from '../../time/units.ts';
import { stitchedAds } from './feed.ts';

export type Confirmation = {
  readonly breakId: string;
  /** Empty: of the break itself. */
  readonly adId: string;
  readonly event: string;
  /** When it reached us. */
  readonly at: Millis;
  /** When it happened, as the player says. */
  readonly playerAt?: Millis;
};

export type ConfirmationStore = {
  /** Keeps those that are new, while the session lives. Returns how many were new. */
  add(sessionId: string, confirmations: readonly Confirmation[]): Promise<number>;
  /** In the order in which they came. */
  ofSession(sessionId: string): Promise<Confirmation[]>;
};

export const MAX_EVENTS = 100;

const ofBreaks = ['breakStart', 'breakEnd'];
const ofAds = (
  'impression creativeView loaded start firstQuartile midpoint thirdQuartile complete progress mute unmute pause resume ' +
  'rewind skip fullscreen exitFullscreen playerExpand playerCollapse expand collapse adExpand adCollapse close closeLinear ' +
  'click clickThrough clickTracking acceptInvitation acceptInvitationLinear interactiveStart viewable notViewable ' +
  'viewUndetermined error'
).split(' ');

/** FIRST_QUARTILE and firstQuartile are the same event. */
const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();
const known = new Map([...ofBreaks, ...ofAds].map((name) => [plain(name), name]));

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 60);

/** What an entry names: an ad or a break of the session. */
function subjectOf(entry: Readonly<Record<string, unknown>>, isBreaks: boolean, records: readonly BreakRecord[]) {
  const { adId, breakId } = entry;
  if (isBreaks && breakId !== undefined) {
    const record = records.find(({ id }) => id === breakId);
    return record === undefined ? undefined : { breakId: record.id, adId: '' };
  }
  const record = records.find((one) => stitchedAds(one).some((ad) => ad.adId === adId));
  return record === undefined ? undefined : { breakId: record.id, adId: isBreaks ? '' : (adId as string) };
}

function readTime(value: unknown): Millis | undefined | 'bad' {
  if (value === undefined || value === null) return undefined;
  const at = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isFinite(at) && at >= 0 && at < 1e14 ? millis(Math.round(at)) : 'bad';
}

function readOne(value: unknown, records: readonly BreakRecord[], now: Millis): Confirmation | string {
  if (typeof value !== 'object' || value === null) return `must be an object, got ${shown(value)}`;
  const entry = value as Readonly<Record<string, unknown>>;
  const { eventType } = entry;
  const event = typeof eventType === 'string' ? known.get(plain(eventType)) : undefined;
  if (event === undefined) return `eventType must be an event of VAST or VMAP, got ${shown(eventType)}`;
  const isBreaks = ofBreaks.includes(event);
  const subject = subjectOf(entry, isBreaks, records);
  if (subject === undefined) {
    const [name, what] = isBreaks && entry.breakId !== undefined ? ['breakId', entry.breakId] : ['adId', entry.adId];
    return `${name} must name what this session was given, got ${shown(what)}`;
  }
  const playerAt = readTime(entry.at);
  if (playerAt === 'bad') return `at must be ISO 8601 or milliseconds since 1970, got ${shown(entry.at)}`;
  return { ...subject, event, at: now, ...(playerAt === undefined ? {} : { playerAt }) };
}

export type ReadConfirmations = {
  readonly confirmed: readonly Confirmation[];
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
};

/** @returns what can be kept and what cannot, or a sentence about a body that is none of ours */
export function readConfirmations(
  body: unknown,
  records: readonly BreakRecord[],
  now: Millis,
): ReadConfirmations | string {
  const events = (body as { events?: unknown } | null | undefined)?.events;
  if (!Array.isArray(events)) return 'The body must be {"events": [{"adId": "…", "eventType": "start"}, …]}.';
  if (events.length > MAX_EVENTS) return `At most ${MAX_EVENTS} events are taken at once, got ${events.length}.`;
  const read = events.map((one) => readOne(one, records, now));
  return {
    confirmed: read.flatMap((one) => (typeof one === 'string' ? [] : [one])),
    refused: read.flatMap((one, index) => (typeof one === 'string' ? [{ index, reason: one }] : [])),
  };
}
