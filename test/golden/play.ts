// The script of the golden test: who watches which channel when, what is edited, and which responses are compared.
import { channelsOf, goldenWorld, item } from './channels.ts';
import { openStage, type Stage } from './stage.ts';

const START = Date.parse('2026-03-01T12:00:00.000Z');
/** The time range of the timelines. */
const RANGE = 'from=2026-03-01T11:59:30Z&to=2026-03-01T12:02:30Z';
/** Seconds between two polls of a session; breaks are decided only for sessions that poll. */
const POLL = 4;

const RUNGS: Readonly<Record<string, readonly string[]>> = {
  main: ['v0', 'v1', 'a0', 'a1', 't0', 't1', 't2'],
  ntsc: ['v0', 'a0'],
  ts: ['v0', 'v1'],
  sound: ['a0', 'a1'],
  silent: ['v0', 'v1', 'v2'],
  edited: ['v0', 'a0'],
};

/** An action, at a second after the start. */
type Moment = readonly [second: number, act: (second: number) => Promise<unknown>];

/** @returns the texts by the paths of their golden files, and what Midroll logged as an error */
export async function playGoldens(): Promise<{ readonly goldens: ReadonlyMap<string, string>; readonly bugs: string }> {
  let origin = '';
  const stage = await openStage(START, (url) => {
    origin = url;
    return goldenWorld(url);
  });
  try {
    const goldens = await play(stage, origin);
    return { goldens, bugs: stage.bugs.join('') };
  } finally {
    await stage.close();
  }
}

async function play(stage: Stage, origin: string): Promise<ReadonlyMap<string, string>> {
  const goldens = new Map<string, string>();
  const polls: string[] = [];

  async function write(path: string, requests: readonly (() => Promise<string>)[]): Promise<void> {
    const texts: string[] = [];
    for (const request of requests) texts.push(await request());
    goldens.set(path, `${texts.join('\n\n')}\n`);
  }
  const get = (path: string) => () => stage.get(path);
  const at = (second: number): string => `${second.toFixed(1).padStart(5, '0')}s`;

  /** Opens a session, in HLS or DASH, and records the response and the multivariant playlist. */
  const opens =
    (channel: string, name: string, { by = 'hls', query = '' } = {}) =>
    async () => {
      const path = by === 'dash' ? `/dash/view/${channel}` : `/hls/${channel}/master.m3u8`;
      await write(`${channel}/${name}.txt`, [
        () => stage.open(name, `${path}?api-key=key${query}`),
        get(`/hls/${channel}/master.m3u8?sid={${name}}`),
      ]);
      polls.push(`/hls/${channel}/{${name}}/${RUNGS[channel]![0]}.m3u8`);
    };
  /** Records a session's media playlists and MPD. */
  const manifests =
    (channel: string, name: string, rungs = RUNGS[channel]!) =>
    (second: number) =>
      write(`${channel}/${name}-${at(second)}.txt`, [
        ...rungs.map((rung) => get(`/hls/${channel}/{${name}}/${rung}.m3u8`)),
        ...(channel === 'ts' ? [] : [get(`/dash/${channel}/{${name}}.mpd`)]),
      ]);
  /** Records a session's tracking feed and the VAST of its current break. */
  const ads = (channel: string, name: string, format: 'hls' | 'dash') => (second: number) =>
    write(`${channel}/${name}-${at(second)}-ads.txt`, [
      get(`/tracking/{${name}}?format=${format}`),
      get(`/${format}/${channel}/{${name}}/vast${format === 'hls' ? '.xml' : ''}`),
    ]);
  /** Records where the tracked segments in a session's first playlist redirect to. */
  const redirects = (channel: string, name: string) => async (second: number) => {
    const text = await stage.get(`/hls/${channel}/{${name}}/${RUNGS[channel]![0]}.m3u8`);
    const tracked = text.split('\n').filter((line) => /^\d+-\d+-\d+\//.test(line));
    await write(
      `${channel}/${name}-${at(second)}-segments.txt`,
      tracked.map((path) => () => stage.get(`/hls/${channel}/{${name}}/${path}`, { method: 'HEAD' })),
    );
  };
  const edit = (path: string, body: object) => () => stage.api('PATCH', path, body);
  const api = (name: string, path: string) => async () => {
    goldens.set(name, `${await stage.api('GET', path)}\n`);
  };

  const few = ['v0', 'a0'];
  const moments: Moment[] = [
    // A late joiner. Then the start and the end of a break, an item of 29.97 fps, an asset of two parts, the loop border.
    [1, opens('main', 'early')],
    [3, manifests('main', 'early', few)],
    [24, manifests('main', 'early')],
    [36.2, manifests('main', 'early', few)],
    [48.9, manifests('main', 'early')],
    [69.1, manifests('main', 'early', few)],
    [76, manifests('main', 'early', few)],
    [88, manifests('main', 'early')],
    [89, redirects('main', 'early')],
    [97, manifests('main', 'early', few)],
    [98, ads('main', 'early', 'hls')],
    // Time shift.
    [30, opens('main', 'back', { query: '&start=-45' })],
    [32, manifests('main', 'back', few)],
    [60, manifests('main', 'back', few)],
    [40, opens('main', 'dash', { by: 'dash' })],
    [58, manifests('main', 'dash', few)],
    // A late joiner, four seconds after the start of a break.
    [80, opens('main', 'late')],
    [81, manifests('main', 'late', few)],
    [90, manifests('main', 'late')],
    [97, ads('main', 'late', 'dash')],

    [1, opens('ntsc', 'on-ntsc', { by: 'dash' })],
    [2, manifests('ntsc', 'on-ntsc')],
    [12, manifests('ntsc', 'on-ntsc')],
    [22.5, manifests('ntsc', 'on-ntsc')],
    [32, manifests('ntsc', 'on-ntsc')],
    [42.3, manifests('ntsc', 'on-ntsc')],
    [48, ads('ntsc', 'on-ntsc', 'dash')],
    [49, redirects('ntsc', 'on-ntsc')],
    [51.5, manifests('ntsc', 'on-ntsc')],
    [44, opens('ntsc', 'joining')],
    [47, manifests('ntsc', 'joining')],

    [1, opens('ts', 'on-ts')],
    [3, manifests('ts', 'on-ts')],
    [17, manifests('ts', 'on-ts')],
    [27, manifests('ts', 'on-ts')],
    [30, redirects('ts', 'on-ts')],
    [33, ads('ts', 'on-ts', 'hls')],
    [34, manifests('ts', 'on-ts')],
    [48, manifests('ts', 'on-ts')],

    [1, opens('sound', 'on-sound')],
    [3, manifests('sound', 'on-sound')],
    [24, manifests('sound', 'on-sound')],
    [41, manifests('sound', 'on-sound')],
    [50, manifests('sound', 'on-sound')],

    [5, opens('silent', 'on-silent')],
    [12, manifests('silent', 'on-silent')],
    [24, manifests('silent', 'on-silent')],
    // The ads arrive after the break has begun: the live edge waits.
    [44.6, opens('silent', 'waiting')],
    [45.7, manifests('silent', 'waiting')],
    [47.5, manifests('silent', 'waiting')],
    [55, manifests('silent', 'waiting')],

    [1, opens('edited', 'on-edited')],
    [22, manifests('edited', 'on-edited')],
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
    [38, manifests('edited', 'on-edited')],
    [49, manifests('edited', 'on-edited')],
    [50, edit('/playlists/edited', { status: 'disabled' })],
    [61, manifests('edited', 'on-edited')],
    [66, edit('/playlists/edited', { status: 'enabled' })],
    [77, manifests('edited', 'on-edited')],
    [84, edit('/channels/edited', { state: 'disabled' })],
    [88, edit('/channels/edited', { state: 'enabled' })],
    [92, manifests('edited', 'on-edited')],

    ...Object.keys(RUNGS).map((id): Moment => [99, api(`${id}/timeline.txt`, `/channels/${id}/timeline?${RANGE}`)]),
    [99, api('main/mrss.txt', '/playlists/main?format=mrss')],
  ];

  for (const { id, contents, startDate, ...channel } of channelsOf(origin)) {
    await stage.api('POST', '/playlists', { id, status: 'enabled', contents, ...(startDate ? { startDate } : {}) });
    await stage.api('POST', '/channels', { id, apiKey: 'key', state: 'enabled', playlistId: id, ...channel });
  }
  const last = Math.max(...moments.map(([second]) => second));
  for (let second = POLL; second < last; second += POLL) {
    moments.push([
      second,
      async () => {
        for (const path of polls) await stage.get(path, { isQuiet: true });
      },
    ]);
  }
  for (const [second, act] of moments.sort(([a], [b]) => a - b)) {
    await stage.moveTo(START + 1000 * second);
    await act(second);
  }
  return goldens;
}
