// A viewer comes: their session is stored before anything is shown to them.
import { randomUUID } from 'node:crypto';
import { freshOdometer } from '../../ads/placement/decision.ts';
import { isIsoTime } from '../../channels/isIsoTime.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { Airing } from '../onAir/airing.ts';
import type { Viewer, Viewers } from '../viewers/viewers.ts';
import { presentationZero } from './presentationZero.ts';

export type Opening = {
  readonly format: Session['format'];
  /** `?start=`: ISO 8601, in UTC unless it names a zone; UNIX seconds (above 1e11: milliseconds), or negative seconds before now. */
  readonly start?: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly viewer: Session['viewer'];
};

const date = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[ +-]\d\d:?\d\d)?)?$/i;

/** A date without a time zone is in UTC, whatever the zone of this machine. A plus that was not encoded comes as a blank. */
function readDate(text: string): number {
  const [, day, time = '00:00', zone = 'Z'] = date.exec(text) ?? [];
  const whole = `${day}T${time}${zone.replace(' ', '+').replace(/(\d\d)(\d\d)$/, '$1:$2')}`.toUpperCase();
  return day !== undefined && isIsoTime(whole) ? Date.parse(whole) : Number.NaN;
}

/**
 * @returns the instant that `?start=` names, or a sentence that says what is wrong with it
 */
export function readStart(text: string, timeShiftWindow: number, now: Millis): Millis | string {
  const number = Number(text);
  const isNumber = text.trim() !== '' && Number.isFinite(number);
  const wanted = isNumber
    ? number < 0
      ? now + number * 1000
      : number > 1e11
        ? number
        : number * 1000
    : readDate(text.trim());
  if (Number.isNaN(wanted)) return `start must be an ISO 8601 date, UNIX seconds or negative seconds, got "${text}"`;
  if (timeShiftWindow <= 0) return 'start needs a channel with a timeShiftWindow; this one has none';
  const earliest = now - timeShiftWindow * 1000;
  return millis(Math.round(Math.min(now, Math.max(earliest, wanted))));
}

export async function openSession(
  airing: Airing,
  opening: Opening,
  start: Millis | undefined,
  store: SessionStore,
  viewers: Viewers,
  now: Millis,
): Promise<Viewer> {
  const { channel, life, ladder } = airing;
  const { playlistSize, timeShiftWindow } = channel;
  const opened: Session = {
    id: randomUUID(),
    channelId: channel.id,
    tenant: channel.tenant,
    life,
    format: opening.format,
    openedAt: now,
    reach: { playlistSize, timeShiftWindow },
    ...(start === undefined ? {} : { start }),
    parameters: opening.parameters,
    viewer: opening.viewer,
  };
  const zero = presentationZero(airing, opened);
  const session: Session = zero === undefined ? opened : { ...opened, zero };
  const odometer = freshOdometer(ladder.rungs.length);
  await store.create(session, odometer);
  return viewers.update(airing, { session, decisions: [], odometer, foldedBefore: millis(0), isUnwatched: true }, now);
}
