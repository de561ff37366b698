// SPDX-License-Identifier: Apache-2.0
// Opens sessions of VoD channels and reads everything that a player reads of them.
import type { OpenedSession } from '../../src/http/contract/airContract.ts';
import { readHls, readMpd, type SeenPeriod, type SeenPlaylist } from '../laws/readBack.ts';
import { mediaPlaylists } from '../live/openSession.ts';
import type { Item, Stage, TracedBreak } from '../live/stage.ts';

export type VodView = OpenedSession & {
  readonly durationSeconds: number;
  readonly contentDurationSeconds: number;
  readonly startSeconds?: number;
  readonly breaks: readonly {
    readonly id: string;
    readonly contentTime: number;
    readonly streamTime: number;
    readonly duration: number;
    readonly ads: readonly { readonly id: string; readonly title?: string; readonly duration: number }[];
  }[];
};

type Where = { readonly liveUrl: string };

/** Milliseconds of the stage's clock. */
const READY_TIMEOUT = 120_000;

/** Creates a VoD channel and its playlist. */
export const airVod = (stage: Stage, id: string, contents: readonly object[], channel: object = {}): Promise<void> =>
  stage.air(id, contents as readonly Item[], { type: 'vod', ...channel }, { type: 'vod' });

/** Opens a session. It waits while the channel is new and while its content is being imported. @throws on other statuses */
export async function openVod(
  stage: Pick<Stage, 'clock'> & { readonly midroll: Where },
  channel: string,
  { query = '', format = 'hls' }: { readonly query?: string; readonly format?: 'hls' | 'dash' } = {},
): Promise<VodView> {
  const deadline = stage.clock.now() + READY_TIMEOUT;
  for (;;) {
    const response = await fetch(`${stage.midroll.liveUrl}/${format}/view/${channel}?api-key=key&${query}`);
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as VodView;
    const isNotReady = (response.status === 404 || response.status === 503) && stage.clock.now() < deadline;
    if (!isNotReady) throw new Error(`${channel}: ${response.status} ${text}`);
    await stage.clock.sleep(200);
  }
}

export type VodManifests = {
  readonly multivariant: string;
  /** Texts of the media playlists, by id of the rung. */
  readonly playlists: Readonly<Record<string, string>>;
  readonly mpd: string | undefined;
  /** The client feed. */
  readonly feed: string;
};

/** @throws when a manifest is not 200; a session of MPEG-TS has no MPD */
export async function readVod({ liveUrl }: Where, channel: string, session: string): Promise<VodManifests> {
  const read = async (path: string): Promise<string> => {
    const response = await fetch(liveUrl + path);
    if (response.status === 409) return '';
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.text();
  };
  const multivariant = await read(`/hls/${channel}/master.m3u8?sid=${session}`);
  const paths = mediaPlaylists(multivariant);
  const [mpd, feed, ...texts] = await Promise.all([
    read(`/dash/${channel}/${session}.mpd`),
    read(`/tracking/${session}`),
    ...paths.map((path) => read(`/hls/${channel}/${path}`)),
  ]);
  const playlists = Object.fromEntries(
    paths.map((path, index) => [/([^/]+)\.m3u8$/.exec(path)![1]!, texts[index]!] as const),
  );
  return { multivariant, playlists, mpd: mpd === '' ? undefined : mpd, feed: feed! };
}

export const seenPlaylist = ({ playlists }: VodManifests, rung = 'v0'): SeenPlaylist => readHls(playlists[rung]!);
export const seenPeriods = ({ mpd }: VodManifests): readonly SeenPeriod[] => readMpd(mpd!);

/** Seconds. */
export const lengthOf = ({ segments }: SeenPlaylist): number =>
  segments.reduce((sum, { duration }) => sum + duration, 0) / 1e6;

export type TracedVodBreak = TracedBreak & { readonly warnings: readonly string[] };

export async function traceOf({ midroll }: Stage, { sessionId }: VodView): Promise<readonly TracedVodBreak[]> {
  const { json } = await midroll.api('GET', `/sessions/${sessionId}`);
  return json.breaks;
}

/** Waits on the stage's clock. @throws after two minutes */
export async function untilHolds({ clock }: Pick<Stage, 'clock'>, what: string, holds: () => Promise<boolean>) {
  const deadline = clock.now() + READY_TIMEOUT;
  while (!(await holds())) {
    if (clock.now() > deadline) throw new Error(`not yet: ${what}`);
    await clock.sleep(250);
  }
}
