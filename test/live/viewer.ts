// A viewer who knows only the standards: polls all manifests of one session like a player, fetches what they list, and
// notes every law that an answer breaks.
import type { TestClock } from '../clock/testClock.ts';
import type { SeenPeriod, SeenSegment } from '../laws/readBack.ts';
import { ColumnWitness, RowsWitness } from '../laws/witness.ts';
import { mediaPlaylists, openSession } from './openSession.ts';

export type Viewer = {
  readonly session: string;
  /** Ids of the channel's rungs, as the multivariant playlist names them. */
  readonly rungs: readonly string[];
  /** What was wrong, in words; empty when nothing was. */
  readonly faults: readonly string[];
  /** Everything that a rung ever listed, by number. */
  readonly listed: ReadonlyMap<string, ReadonlyMap<number, SeenSegment>>;
  /** Of segments and init sections, by address. */
  readonly media: ReadonlyMap<string, Uint8Array>;
  /** Resolves when `holds` does; @throws after ten minutes of the clock, with what `seen` says */
  until(what: string, holds: () => boolean | Promise<boolean>, seen?: () => string): Promise<void>;
  /** Asks for nothing for so many seconds, like a player that is paused. */
  pause(seconds: number): Promise<void>;
  /** The last poll ends first. */
  leave(): Promise<void>;
};

export type Watching = {
  readonly clock: TestClock;
  readonly liveUrl: string;
  readonly channel: string;
  readonly apiKey: string;
  /** More of the opening request's query, e.g. `viewer=anna`. */
  readonly query?: string;
  /** Whether every listed segment is fetched; true unless told. */
  readonly fetches?: boolean;
  /** Whether the DASH view is looked at too; true unless told. */
  readonly dash?: boolean;
  /** Which view opens the session; `hls` unless told. Both are looked at all the same. */
  readonly opens?: 'hls' | 'dash';
  /** A server that does not answer is no fault while this says so. */
  readonly mayBeUnavailable?: () => boolean;
  /** A channel that is not on air is no fault while this says so. */
  readonly mayBeOffAir?: () => boolean;
  /** Media that may be missing. */
  readonly mayBeMissing?: (url: string) => boolean;
};

const POLL = 1000;
const PATIENCE = 600;
const rate = { n: 24000, d: 1001 }; // the longest frame of all: what dates may be off

/** Two views of one row of segments, taken a moment apart: they agree wherever they overlap. */
function disagreement(hls: readonly string[], dash: readonly string[]): string | undefined {
  for (let shift = -3; shift <= 3; shift += 1) {
    const from = Math.max(0, shift);
    const to = Math.min(hls.length, dash.length + shift);
    let index = from;
    while (index < to && hls[index] === dash[index - shift]) index += 1;
    if (index === to && to - from >= hls.length - 3 && to - from >= dash.length - 3) return undefined;
  }
  return `HLS lists\n${hls.join('\n')}\nand DASH\n${dash.join('\n')}`;
}

export async function watch(watching: Watching): Promise<Viewer> {
  const {
    clock,
    liveUrl,
    channel,
    fetches = true,
    dash = true,
    mayBeUnavailable = () => false,
    mayBeOffAir = () => false,
    mayBeMissing = () => false,
  } = watching;
  const playlists = mediaPlaylists(await openSession(watching));
  const session = playlists[0]!.split('/')[0]!;
  const rungs = playlists.map((path) => /([^/]+)\.m3u8$/.exec(path)![1]!);
  const columns = rungs.map((rung) => new ColumnWitness(`${channel} ${rung}`, rate));
  const rows = new RowsWitness();
  const faults: string[] = [];
  const firsts = rungs.map(() => Number.NEGATIVE_INFINITY);
  const listed = new Map(rungs.map((rung) => [rung, new Map<number, SeenSegment>()]));
  const media = new Map<string, Uint8Array>();
  const fetched = new Map<string, Promise<void>>();
  const note = (what: string): void => {
    if (faults.length < 20 && !faults.includes(what)) faults.push(`${new Date(clock.now()).toISOString()} ${what}`);
  };

  async function fetchMedia(path: string): Promise<void> {
    const url = new URL(path, `${liveUrl}/hls/${channel}/${session}/`).href;
    try {
      const response = await fetch(url);
      const bytes = new Uint8Array(await response.arrayBuffer());
      // Text whose source was not read in time is empty for now, and says that it may not be kept.
      const isPassing = path.endsWith('.vtt') && !response.headers.get('cache-control')?.includes('immutable');
      if (response.status === 200 && isPassing) fetched.delete(path);
      else if (response.status === 200 && bytes.length > 0) media.set(path, bytes);
      else if (response.status === 404 && mayBeOffAir()) fetched.delete(path);
      else if (!mayBeMissing(path)) note(`${url} answered ${response.status} with ${bytes.length} bytes`);
    } catch (error) {
      if (mayBeUnavailable()) fetched.delete(path);
      else if (!mayBeMissing(path)) note(`${url}: ${(error as Error).message}`);
    }
  }
  const fetchOnce = (path: string): void => {
    if (fetches && !fetched.has(path)) fetched.set(path, fetchMedia(path));
  };
  const mapOf = ({ map }: SeenSegment): string | undefined => /URI="([^"]+)"/.exec(map)?.[1];

  async function read(url: string): Promise<string | undefined> {
    const wasOff = mayBeOffAir();
    try {
      const response = await fetch(url);
      const text = await response.text();
      if (response.status === 200) return text;
      if (response.status !== 404 || !(wasOff || mayBeOffAir())) note(`${url} answered ${response.status}: ${text}`);
    } catch (error) {
      if (!mayBeUnavailable()) note(`${url}: ${(error as Error).message}`);
    }
    return undefined;
  }

  function look<Seen>(text: string | undefined, by: (text: string) => Seen): Seen | undefined {
    if (text === undefined) return undefined;
    try {
      return by(text);
    } catch (error) {
      note((error as Error).message);
      return undefined;
    }
  }

  async function poll(): Promise<void> {
    const asked = clock.now();
    const texts = await Promise.all([
      ...rungs.map((rung) => read(`${liveUrl}/hls/${channel}/${session}/${rung}.m3u8`)),
      ...(dash ? [read(`${liveUrl}/dash/${channel}/${session}.mpd`)] : []),
    ]);
    const answered = clock.now();
    const seen = columns.map((column, index) =>
      look(texts[index], (text) => column.check(text, asked, answered).segments),
    );
    const periods: readonly SeenPeriod[] | undefined = dash
      ? look(texts.at(-1), (text) => rows.check(text))
      : undefined;
    seen.forEach((segments, index) => {
      const first = segments?.[0]?.number ?? Number.POSITIVE_INFINITY;
      const before = firsts[index]!;
      // RFC 8216 §6.2.2: EXT-X-MEDIA-SEQUENCE never decreases.
      if (first < before) note(`${channel} ${rungs[index]}: the first segment was ${before}, then ${first}`);
      if (segments !== undefined) firsts[index] = first;
      for (const segment of segments ?? []) {
        listed.get(rungs[index]!)!.set(segment.number, segment);
        fetchOnce(segment.uri);
        const map = mapOf(segment);
        if (map !== undefined) fetchOnce(map);
      }
      if (segments === undefined || periods === undefined) return;
      const inDash = periods.flatMap(({ urls }) => urls[rungs[index]!] ?? []);
      const what = disagreement(
        // Text is the same in both, in another kind of file.
        segments.map(({ uri }) => uri.replace(/\.vtt$/, '.m4s')),
        inDash,
      );
      if (what !== undefined) note(`${channel} ${rungs[index]}: ${what}`);
    });
  }

  let isHere = true;
  let pausedUntil = 0;
  const watched = (async () => {
    while (isHere) {
      const next = clock.now() + POLL;
      if (clock.now() >= pausedUntil) await poll();
      await clock.sleep(Math.max(0, next - clock.now()));
    }
    await Promise.all(fetched.values());
  })();

  return {
    session,
    rungs,
    faults,
    listed,
    media,
    async until(what, holds, seen = () => '') {
      const deadline = clock.now() + PATIENCE * 1000;
      while (!(await holds())) {
        if (faults.length > 0) throw new Error(faults.join('\n'));
        if (clock.now() > deadline) throw new Error(`${channel}: after ${PATIENCE} s still not: ${what}. ${seen()}`);
        await clock.sleep(500);
      }
    },
    async pause(seconds) {
      pausedUntil = clock.now() + seconds * 1000;
      await clock.sleep(seconds * 1000);
    },
    async leave() {
      isHere = false;
      await watched;
    },
  };
}
