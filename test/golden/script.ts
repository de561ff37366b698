// SPDX-License-Identifier: Apache-2.0
// The script of the golden test: who watches which channel when, what changes, and which responses are compared.
import { item } from './channels.ts';

/** The rungs of each channel. */
export const RUNGS: Readonly<Record<string, readonly string[]>> = {
  main: ['v0', 'v1', 'a0', 'a1', 't0', 't1', 't2'],
  ntsc: ['v0', 'a0'],
  ts: ['v0', 'v1'],
  sound: ['a0', 'a1'],
  silent: ['v0', 'v1', 'v2'],
  edited: ['v0', 'a0'],
  mixed: ['v0', 'a0'],
  film: ['v0', 'v1', 'a0', 'a1', 't0', 't1', 't2'],
};
/** The time range of the timelines. */
const RANGE = 'from=2026-03-01T11:59:30Z&to=2026-03-01T12:02:30Z';

/** @param second after the start */
export type Act = (second: number) => Promise<unknown>;
export type Moment = readonly [second: number, act: Act];

/** What can happen. A session has a name, which is unique on all channels. */
export type Scene = {
  /** Opens a session, in HLS or DASH, and records the response and the multivariant playlist. */
  opens(channel: string, name: string, how?: { readonly by?: 'hls' | 'dash'; readonly query?: string }): Act;
  /** Records a session's media playlists, of all rungs unless given, and its MPD. */
  manifests(name: string, rungs?: readonly string[]): Act;
  /** Records a session's tracking feed and the VAST of its current break. */
  ads(name: string, format: 'hls' | 'dash'): Act;
  /** Records where the tracked segments in a session's first playlist redirect to. */
  redirects(name: string): Act;
  /** Records segments of the content's subtitles in the first text rung, as WebVTT and in MP4. */
  subtitles(name: string): Act;
  /** Records the breaks of a session's trace that have started, without its sentences. */
  trace(name: string): Act;
  /** Records a response of the administrative API. */
  api(file: string, path: string): Act;
  edit(path: string, body: object): Act;
  /** The origin loses an asset. */
  lose(asset: string): Act;
  /** Restarts Midroll, and reads the manifests of all sessions before and after it. */
  restart(): Act;
};

export function script(
  { opens, manifests, ads, redirects, subtitles, trace, api, edit, lose, restart }: Scene,
  origin: string,
): Moment[] {
  const few = ['v0', 'a0'];
  return [
    // A late joiner. Then the start and the end of a break, an item of 29.97 fps, an asset of two parts, the loop border.
    [1, opens('main', 'early')],
    [3, manifests('early', few)],
    [24, manifests('early')],
    [36.2, manifests('early', few)],
    [48.9, manifests('early')],
    [69.1, manifests('early', few)],
    [76, manifests('early', few)],
    [88, manifests('early')],
    [89, redirects('early')],
    [90, subtitles('early')],
    [97, manifests('early', few)],
    // The next break starts at 110.6 s. When its ads are requested differs between runs, so feeds are read before or after.
    [79, ads('early', 'hls')],
    [98, trace('early')],
    // Time shift.
    [30, opens('main', 'back', { query: '&start=-45' })],
    [32, manifests('back', few)],
    [60, manifests('back', few)],
    [40, opens('main', 'dash', { by: 'dash' })],
    [58, manifests('dash', few)],
    // A late joiner, four seconds after the start of a break.
    [80, opens('main', 'late')],
    [81, manifests('late', few)],
    [90, manifests('late')],
    [104, ads('late', 'dash')],

    [1, opens('ntsc', 'on-ntsc', { by: 'dash' })],
    [2, manifests('on-ntsc')],
    [12, manifests('on-ntsc')],
    [22.5, manifests('on-ntsc')],
    [32, manifests('on-ntsc')],
    [42.3, manifests('on-ntsc')],
    [48, ads('on-ntsc', 'dash')],
    [49, redirects('on-ntsc')],
    [51.5, manifests('on-ntsc')],
    [52, trace('on-ntsc')],
    [44, opens('ntsc', 'joining')],
    [47, manifests('joining')],

    [1, opens('ts', 'on-ts')],
    [3, manifests('on-ts')],
    [17, manifests('on-ts')],
    [27, manifests('on-ts')],
    // A late joiner, in the first segment of the slate.
    [25, opens('ts', 'prompt')],
    [29, manifests('prompt')],
    [30, redirects('on-ts')],
    [25, ads('on-ts', 'hls')],
    [34, manifests('on-ts')],
    [48, manifests('on-ts')],

    [1, opens('sound', 'on-sound')],
    [3, manifests('on-sound')],
    [24, manifests('on-sound')],
    [41, manifests('on-sound')],
    [50, manifests('on-sound')],

    [5, opens('silent', 'on-silent')],
    [12, manifests('on-silent')],
    [24, manifests('on-silent')],
    // The ads arrive after the break has begun: the live edge waits.
    [44.6, opens('silent', 'waiting')],
    [46.2, manifests('waiting')],
    [48, manifests('waiting')],
    [55, manifests('waiting')],

    [1, opens('edited', 'on-edited')],
    [22, manifests('on-edited')],
    [
      26,
      edit('/playlists/edited', {
        contents: [
          item(origin, 'noon'),
          item(origin, 'dusk', { spliceTime: 6, maxDuration: 10 }),
          item(origin, 'dawn', { spliceTime: 0, maxDuration: 5 }),
        ],
      }),
    ],
    [38, manifests('on-edited')],
    [49, manifests('on-edited')],
    [50, edit('/playlists/edited', { status: 'disabled' })],
    [61, manifests('on-edited')],
    [66, edit('/playlists/edited', { status: 'enabled' })],
    [77, manifests('on-edited')],
    [84, edit('/channels/edited', { state: 'disabled' })],
    [88, edit('/channels/edited', { state: 'enabled' })],
    [92, manifests('on-edited')],

    [1, opens('mixed', 'on-mixed')],
    [9, manifests('on-mixed')],
    [19, lose('fast')],
    [36, manifests('on-mixed')],
    [58, manifests('on-mixed')],
    [58, trace('on-mixed')],

    // VoD: the whole presentation, whenever it is read.
    [10, opens('film', 'on-film')],
    [11, manifests('on-film')],
    [12, ads('on-film', 'hls')],
    [13, redirects('on-film')],
    [106, trace('on-film')],
    // A viewer who resumes in the second item.
    [15, opens('film', 'resumed', { by: 'dash', query: '&start=30' })],
    [16, manifests('resumed', few)],

    ...Object.keys(RUNGS)
      .filter((id) => id !== 'film')
      .map((id): Moment => [99, api(`${id}/timeline.txt`, `/channels/${id}/timeline?${RANGE}`)]),
    [99, api('main/mrss.txt', '/playlists/main?format=mrss')],
    [105, restart()],
  ];
}
