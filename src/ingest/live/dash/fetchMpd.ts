// SPDX-License-Identifier: Apache-2.0
import type { LiveMpd, LiveRepresentation } from '../../../dash/read/live/liveMpd.ts';
import { readInstant } from '../../../dash/read/live/liveTimes.ts';
import { readingLiveMpd } from '../../../dash/read/live/readLiveMpd.ts';
import type { MpdRefusal } from '../../../dash/read/mpdElements.ts';
import type { OriginFailure } from '../../../live/ports.ts';
import { type Flicks, flicks, type Millis, millis } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';
import type { Origin } from '../../ports.ts';
import { createDeadBases } from '../../source/deadBases.ts';
import { inTurns } from '../../source/inTurns.ts';
import { createManifestRequester, type FetchedManifest, shortUrl } from '../../source/mediaReader.ts';
import { hasInbandEvents } from './dashSignals.ts';

export type FetchedMpd = {
  readonly mpd: LiveMpd;
  /** After redirects. */
  readonly url: string;
  readonly warnings: readonly string[];
  /** Why none of its BaseURLs works, by `where` of a Representation that has several. */
  readonly unreachable: ReadonlyMap<string, string>;
  /** The text is that of the last request. */
  readonly isSame: boolean;
};

/** @param since leaves out segments that end before */
type MpdFetcher = (since?: Instant, signal?: AbortSignal) => Promise<Fetching>;
type Fetching = FetchedMpd | OriginFailure;

type Kept = {
  readonly fetched: FetchedManifest;
  readonly requested: string;
  /** When its text was received: UTCTiming may state that time. */
  readonly receivedAt: Millis;
  readonly mpd: LiveMpd;
};

type Received = Omit<Kept, 'mpd'>;

/** @param newest the duration of the newest segments, without `since`. Older segments get only a number and a time */
export function createMpdFetcher(origin: Origin, url: string, now: () => Millis, newest?: Flicks): MpdFetcher {
  let request = createManifestRequester(origin, 1);
  const clock = createDashClock(origin, now);
  const bases = createDeadBases(origin);
  /** The URL in the MPD that replaces `url` (Location, 5.3.1.2). */
  let location: string | undefined;
  let kept: Kept | undefined;
  let availabilityStart: Instant | undefined;

  async function fetch(since?: Instant, signal?: AbortSignal): Promise<Fetching> {
    const requested = location ?? url;
    const fetched = await request(requested, signal);
    if ('refused' in fetched) {
      // A URL of one session may expire; the channel's own remains valid.
      location = undefined;
      return fetched;
    }
    const receivedAt = kept?.fetched === fetched ? kept.receivedAt : now();
    let isAccepted = false;
    try {
      const accepted = await accept({ fetched, requested, receivedAt }, since, signal);
      isAccepted = !('refused' in accepted);
      return accepted;
    } finally {
      // After an MPD that cannot be read, the next one is requested as a whole.
      if (!isAccepted) request = createManifestRequester(origin, 1);
    }
  }

  async function accept(received: Received, since?: Instant, signal?: AbortSignal): Promise<Fetching> {
    const { requested, fetched } = received;
    const { text } = fetched;
    const parseSince = (from?: Instant) => {
      const known = { availabilityStart, newest, known: kept?.mpd.periods, isDead: bases.isDead };
      return inTurns(text.length, readingLiveMpd(text, fetched.url, { ...known, now: clock.now(), since: from }));
    };
    const parse = async () => {
      const parsed = await parseSince(since);
      // The dates of an earlier reading were wrong, or these are.
      return since === undefined || 'refused' in parsed || listsSegments(parsed) ? parsed : parseSince();
    };
    if (kept?.fetched.text === text && !isClocked(kept.mpd) && !hasInbandEvents(kept.mpd))
      return keep(received, kept.mpd, { unreachable: new Map(), warnings: [] });
    let mpd = await parse();
    const before = clock.now().millis - now();
    const warning = 'refused' in mpd ? undefined : await clock.set(mpd.timing, received.receivedAt, signal);
    if (!('refused' in mpd) && clock.now().millis - now() !== before) mpd = await parse();
    if ('refused' in mpd) {
      location = undefined;
      return { refused: `${shortUrl(requested)}: ${mpd.refused}` };
    }
    const tried = await withBases(mpd, parse, signal);
    if ('refused' in tried.mpd) return { refused: `${shortUrl(requested)}: ${tried.mpd.refused}` };
    return keep(received, tried.mpd, {
      unreachable: tried.unreachable,
      warnings: warning === undefined ? [] : [warning],
    });
  }

  /** Uses the first BaseURLs that have the newest segments, both for players and for reading segments. */
  async function withBases(first: LiveMpd, parse: () => Promise<LiveMpd | MpdRefusal>, signal?: AbortSignal) {
    let mpd: LiveMpd | MpdRefusal = first;
    for (let isRetry = false; ; mpd = await parse()) {
      const media = 'refused' in mpd ? [] : newestMedia(mpd);
      const found = await bases.check(media, newestOf, signal);
      if (found === 'again') continue;
      const { hopeless } = found;
      if (hopeless.length === 0) return { mpd, unreachable: new Map<string, string>() };
      // A segment that is late is missing everywhere.
      if (isRetry)
        return { mpd: await parse(), unreachable: new Map(hopeless.map(({ one, refused }) => [one.where, refused])) };
      // BaseURLs that failed before may work again.
      bases.forget();
      isRetry = true;
    }
  }

  function keep(received: Received, mpd: LiveMpd, found: Pick<FetchedMpd, 'unreachable' | 'warnings'>): FetchedMpd {
    const isSame = received.fetched.text === kept?.fetched.text;
    kept = { ...received, mpd };
    ({ location = location, availabilityStart } = mpd);
    const { unreachable } = found;
    const warnings = [
      ...found.warnings,
      ...mpd.warnings,
      ...(unreachable.size > 0 ? unreachable.values() : bases.warnings(newestMedia(mpd))),
    ];
    return { mpd, url: received.fetched.url, warnings, isSame, unreachable };
  }

  return fetch;
}

/** Audio and video of the newest Period that lists segments. */
function newestMedia({ periods }: LiveMpd): readonly LiveRepresentation[] {
  const listing = ({ kind, segments }: LiveRepresentation): boolean => kind !== 'text' && segments.segments.length > 0;
  const newest = periods.findLast(({ representations }) => representations.some(listing));
  return newest?.representations.filter(listing) ?? [];
}

/** The segment before the newest: the newest may not be there yet. */
const newestOf = ({ segments: { segments } }: LiveRepresentation) => (segments.at(-2) ?? segments.at(-1))?.media;

const listsSegments = ({ periods }: LiveMpd): boolean =>
  periods.some(({ representations }) => representations.some(({ segments }) => segments.segments.length > 0));

/** Whether the clock changes what the same MPD lists. */
export const isClocked = ({ periods }: LiveMpd): boolean =>
  periods.some(({ representations }) => representations.some(({ segments }) => segments.isClocked));

/** The end of the newest segment of a reading, `length` before. */
export function beforeEdge({ periods }: LiveMpd, length: Flicks): Instant | undefined {
  const ends = periods.flatMap(({ representations }) =>
    representations.flatMap(({ segments: { segments } }) => {
      const last = segments.at(-1);
      return last === undefined ? [] : [after(last.startsAt, last.duration)];
    }),
  );
  if (ends.length === 0) return undefined;
  const newest = ends.reduce((latest, each) => (each.millis > latest.millis ? each : latest));
  return after(newest, flicks(-length));
}

// The clock of a live MPD: the local one, corrected by UTCTiming (ISO/IEC 23009-1 5.8.4.11). Only the clock states which
// segments of equal duration are available.

const VALID_MS = 10 * 60_000;
const CLOCK_RETRY_MS = 30_000;
const CLOCK_TIMEOUT_MS = 2_000;
const CLOCK_BYTES = 4096;

/** The schemes of UTCTiming, from any year of the specification. */
const schemes = /^urn:mpeg:dash:utc:(http-iso|http-xsdate|http-head|direct):20\d\d$/;

function createDashClock(origin: Origin, now: () => Millis) {
  let offset = 0;
  let until = Number.NEGATIVE_INFINITY;
  let warning: string | undefined;

  async function remote(url: string, isHead: boolean, signal: AbortSignal | undefined): Promise<number | string> {
    const sent = now();
    const read = await origin.read(url, { maxBytes: CLOCK_BYTES, timeoutMs: CLOCK_TIMEOUT_MS, signal });
    const middle = (sent + now()) / 2;
    if (!read.ok) return `${shortUrl(url)} ${read.reason}`;
    const text = isHead ? (read.date ?? '') : new TextDecoder().decode(read.bytes).trim();
    const at = isHead ? Date.parse(text) + 500 : readInstant(text)?.millis;
    if (at === undefined || Number.isNaN(at)) return `${shortUrl(url)} returned no date`;
    return Math.round(at - middle);
  }

  async function measure(timing: LiveMpd['timing'], receivedAt: Millis, signal?: AbortSignal): Promise<void> {
    const problems: string[] = [];
    for (const { scheme, value } of timing) {
      const kind = schemes.exec(scheme)?.[1];
      if (kind === undefined) problems.push(`UTCTiming with the scheme "${scheme.slice(0, 60)}" is not supported`);
      else if (kind === 'direct') {
        const at = readInstant(value);
        if (at !== undefined) return succeed(at.millis - receivedAt);
        problems.push('UTCTiming@value must be a date and time');
      } else {
        for (const url of value.split(/\s+/).filter((each) => URL.canParse(each))) {
          const measured = await remote(url, kind === 'http-head', signal);
          if (typeof measured === 'number') return succeed(measured);
          problems.push(measured);
        }
      }
    }
    until = now() + CLOCK_RETRY_MS;
    warning = problems.length === 0 ? undefined : `${problems.slice(0, 3).join('; ')}; the local clock is used`;
  }

  function succeed(measured: number): void {
    offset = measured;
    until = now() + VALID_MS;
    warning = undefined;
  }

  return {
    now: (): Instant => ({ millis: millis(now() + offset), rest: flicks(0) }),
    /**
     * Measures the difference of the clocks, unless it did so a short time ago.
     * @param receivedAt when the MPD was received, for a time that it contains
     * @returns a warning if the local clock is used although the MPD names another
     */
    async set(timing: LiveMpd['timing'], receivedAt: Millis, signal?: AbortSignal): Promise<string | undefined> {
      if (timing.length > 0 && now() >= until) await measure(timing, receivedAt, signal);
      return warning;
    },
  };
}
