// SPDX-License-Identifier: Apache-2.0
// A viewer that polls all manifests of one session as a player does, downloads the listed media, and records every broken law
// (docs/laws.md). It relies on the standards alone.
import { isOurs, mapName, mediaName, readMpd, type SeenPeriod, type SeenSegment } from '../laws/readBack.ts';
import { ColumnWitness, RowsWitness } from '../laws/witness.ts';
import { createDashListing } from './dashListing.ts';
import { keyUris } from './decrypt.ts';
import { mediaPlaylists, openDash, openSession, type SessionOpening, sessionOf } from './openSession.ts';

export type Viewer = {
  readonly session: string;
  /** Ids of the channel's rungs in the multivariant playlist, those of the picture first. */
  readonly rungs: readonly string[];
  /** Broken laws and failed requests. */
  readonly faults: readonly string[];
  /** All segments that each rung has listed, by media sequence number; without HLS, counted from the first one listed. */
  readonly listed: ReadonlyMap<string, ReadonlyMap<number, SeenSegment>>;
  /** The bytes of segments, init sections and keys, by the names of `mediaName`. */
  readonly media: ReadonlyMap<string, Uint8Array>;
  /** Resolves when `holds` does. @throws after ten minutes of the clock, with the text of `seen`, and on any fault */
  until(what: string, holds: () => boolean | Promise<boolean>, seen?: () => string | Promise<string>): Promise<void>;
  /** Sends no requests for so many seconds, like a paused player. */
  pause(seconds: number): Promise<void>;
  /** Stops polling, after the current poll. */
  leave(): Promise<void>;
};

export type Watching = SessionOpening & {
  /** Whether to download every listed segment, or only media of ours; default true. */
  readonly fetches?: boolean | 'ours';
  /** Sends a request after the opening one; default `fetch`. */
  readonly send?: (url: string, init?: RequestInit) => Promise<Response>;
  /** Whether the live edge has to keep moving (law 4); default true. */
  readonly isTimed?: boolean;
  /** Whether to poll the media playlists; default true. */
  readonly hls?: boolean;
  /** Whether to poll the MPD; default true. */
  readonly dash?: boolean;
  /** While true, a failed connection is not a fault. */
  readonly mayBeUnavailable?: () => boolean;
  /** While true, 404 is not a fault. */
  readonly mayBeOffAir?: () => boolean;
  /** Whether the media at a URL may be missing. */
  readonly mayBeMissing?: (url: string) => boolean;
  /** Milliseconds from a poll to the next; default 1000. What is listed more briefly is not seen. */
  readonly pollAfter?: (now: number) => number;
  /** Receives each listed segment, again with each poll; `listed` stays empty, which would grow with the hours. */
  readonly onListed?: (rung: string, segment: SeenSegment) => void;
};

/** Seconds. */
const UNTIL_TIMEOUT = 600;
const rate = { n: 24000, d: 1001 }; // the longest frame duration, the tolerance for dates

/** Compares a media playlist and an MPD that were read at almost the same time: their segments must agree where they overlap. */
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

/** Sound is dated beside the borders of the picture. */
const pictureFirst = (rungs: readonly string[]): string[] =>
  rungs.toSorted((one, other) => Number(other.startsWith('v')) - Number(one.startsWith('v')));

type Opened = { readonly session: string; readonly rungs: readonly string[] };

async function openPlaylists(opening: SessionOpening): Promise<Opened> {
  const playlists = mediaPlaylists(await openSession(opening));
  const rungs = playlists.map((path) => /([^/]+)\.m3u8$/.exec(path)![1]!);
  return { session: playlists[0]!.split('/')[0]!, rungs: pictureFirst(rungs) };
}

async function openMpd(opening: SessionOpening): Promise<Opened> {
  const url = await openDash(opening);
  const [period] = readMpd(await (await fetch(url)).text());
  return { session: sessionOf(url), rungs: pictureFirst(Object.keys(period!.urls)) };
}

export async function watch(watching: Watching): Promise<Viewer> {
  const {
    clock,
    liveUrl,
    channel,
    fetches = true,
    send = fetch,
    isTimed = true,
    hls = true,
    dash = true,
    mayBeUnavailable = () => false,
    mayBeOffAir = () => false,
    mayBeMissing = () => false,
    pollAfter = () => 1000,
  } = watching;
  const { session, rungs } = hls ? await openPlaylists(watching) : await openMpd(watching);
  const columns = rungs.map((rung) => new ColumnWitness(`${channel} ${rung}`, rate));
  const rows = new RowsWitness();
  const dashListing = createDashListing();
  const faults: string[] = [];
  const firsts = rungs.map(() => Number.NEGATIVE_INFINITY);
  const listed = new Map(rungs.map((rung) => [rung, new Map<number, SeenSegment>()]));
  const { onListed = (rung, segment) => void listed.get(rung)!.set(segment.number, segment) } = watching;
  const media = new Map<string, Uint8Array>();
  const fetched = new Map<string, Promise<void>>();
  const report = (what: string): void => {
    if (faults.length < 20 && !faults.includes(what)) faults.push(`${new Date(clock.now()).toISOString()} ${what}`);
  };

  async function fetchMedia(path: string): Promise<void> {
    const { href: url, hash } = new URL(path, `${liveUrl}/${hls ? 'hls' : 'dash'}/${channel}/${session}/`);
    const [, length, start] = /^#(\d+)@(\d+)$/.exec(hash) ?? [];
    const range = length === undefined ? undefined : `bytes=${start}-${Number(start) + Number(length) - 1}`;
    try {
      const response = await send(url, range === undefined ? {} : { headers: { range } });
      const bytes = new Uint8Array(await response.arrayBuffer());
      // Until the source of a text segment is read, the segment is empty and not cacheable.
      const isTemporary =
        isOurs(path) && path.endsWith('.vtt') && !response.headers.get('cache-control')?.includes('immutable');
      if (response.status === 200 && isTemporary) fetched.delete(path);
      else if (response.status === (range === undefined ? 200 : 206) && bytes.length > 0) media.set(path, bytes);
      else if (response.status === 404 && mayBeOffAir()) fetched.delete(path);
      else if (!mayBeMissing(path)) report(`${url} returned ${response.status} with ${bytes.length} bytes`);
    } catch (error) {
      if (mayBeUnavailable()) fetched.delete(path);
      else if (!mayBeMissing(path)) report(`${url}: ${(error as Error).message}`);
    }
  }
  const fetchOnce = (path: string): void => {
    if (!fetches || fetched.has(path) || (fetches === 'ours' && !isOurs(path))) return;
    fetched.set(path, fetchMedia(path));
  };
  async function read(url: string): Promise<string | undefined> {
    const wasOff = mayBeOffAir();
    try {
      const response = await send(url);
      const text = await response.text();
      if (response.status === 200) return text;
      if (response.status !== 404 || !(wasOff || mayBeOffAir())) report(`${url} returned ${response.status}: ${text}`);
    } catch (error) {
      if (!mayBeUnavailable()) report(`${url}: ${(error as Error).message}`);
    }
    return undefined;
  }

  function look<Seen>(text: string | undefined, by: (text: string) => Seen): Seen | undefined {
    if (text === undefined) return undefined;
    try {
      return by(text);
    } catch (error) {
      report((error as Error).message);
      return undefined;
    }
  }

  async function poll(): Promise<void> {
    const requestedAt = isTimed ? clock.now() : 0;
    const texts = await Promise.all([
      ...(hls ? rungs.map((rung) => read(`${liveUrl}/hls/${channel}/${session}/${rung}.m3u8`)) : []),
      ...(dash ? [read(`${liveUrl}/dash/${channel}/${session}.mpd`)] : []),
    ]);
    const receivedAt = isTimed ? clock.now() : 0;
    const periods: readonly SeenPeriod[] | undefined = dash
      ? look(texts.at(-1), (text) => rows.check(text))
      : undefined;
    const seen = columns.map((column, index) =>
      hls
        ? look(texts[index], (text) => column.check(text, requestedAt, receivedAt).segments)
        : look(texts[0], () => periods && dashListing.add(rungs[index]!, periods, receivedAt)),
    );
    seen.forEach((segments, index) => {
      const first = segments?.[0]?.number ?? Number.POSITIVE_INFINITY;
      const before = firsts[index]!;
      // RFC 8216 §6.2.2: EXT-X-MEDIA-SEQUENCE never decreases.
      if (first < before) report(`${channel} ${rungs[index]}: the first segment was ${before}, then ${first}`);
      if (segments !== undefined) firsts[index] = first;
      for (const segment of segments ?? []) {
        onListed(rungs[index]!, segment);
        const map = mapName(segment);
        const names = [mediaName(segment), ...(map === undefined ? [] : [map]), ...keyUris(segment)];
        for (const name of names) fetchOnce(name);
      }
      if (segments === undefined || periods === undefined || !hls) return;
      const inDash = periods.flatMap(({ urls }) => urls[rungs[index]!] ?? []);
      const what = disagreement(
        // DASH has the same text in MP4.
        segments.map(({ uri }) => uri.replace(/\.vtt$/, '.m4s')),
        inDash,
      );
      if (what !== undefined) report(`${channel} ${rungs[index]}: ${what}`);
    });
  }

  let isWatching = true;
  let pausedUntil = 0;
  const polling = (async () => {
    while (isWatching) {
      const next = clock.now() + pollAfter(clock.now());
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
      const deadline = clock.now() + UNTIL_TIMEOUT * 1000;
      while (!(await holds())) {
        if (faults.length > 0) throw new Error(faults.join('\n'));
        if (clock.now() > deadline)
          throw new Error(`${channel}: after ${UNTIL_TIMEOUT} s not yet: ${what}. ${await seen()}`);
        await clock.sleep(500);
      }
    },
    async pause(seconds) {
      pausedUntil = clock.now() + seconds * 1000;
      await clock.sleep(seconds * 1000);
    },
    async leave() {
      isWatching = false;
      await polling;
    },
  };
}
