// SPDX-License-Identifier: Apache-2.0
// The actions of the script: requests, and the texts that they record.
import { RUNGS, type Scene } from './script.ts';
import type { Stage } from './stage.ts';

/** Texts by the path of their golden file. */
type Goldens = Map<string, string>;

export type Recorded = {
  readonly goldens: ReadonlyMap<string, string>;
  /** The manifests of all sessions before and after a restart. */
  readonly restarts: readonly { readonly before: readonly string[]; readonly after: readonly string[] }[];
};

const at = (second: number): string => `${second.toFixed(1).padStart(5, '0')}s`;

/** Fields of a trace that hold sentences, or what was sent to and from a port that differs between runs. */
const VARYING = new Set(['text', 'warnings', 'request', 'response']);

const isVarying = (key: string, value: unknown): boolean =>
  VARYING.has(key) || (key === 'reason' && typeof value === 'string');

/** The breaks that have started: when a coming break is decided differs between runs. */
function steadyTrace(text: string, now: number): string {
  const { breaks, ...session } = JSON.parse(text, (key, value) => (isVarying(key, value) ? undefined : value)) as {
    readonly breaks: readonly { readonly startsAt: string }[];
  };
  const started = breaks.filter(({ startsAt }) => Date.parse(startsAt) <= now);
  return JSON.stringify({ ...session, breaks: started }, null, 1);
}

export function createScene(stage: Stage): Scene & { readonly recorded: Recorded; poll(): Promise<void> } {
  const goldens: Goldens = new Map();
  const restarts: { before: string[]; after: string[] }[] = [];
  const channels = new Map<string, string>();
  const get = (path: string) => () => stage.get(path);

  async function record(path: string, requests: readonly (() => Promise<string>)[]): Promise<void> {
    const texts: string[] = [];
    for (const request of requests) texts.push(await request());
    goldens.set(path, `${texts.join('\n\n')}\n`);
  }
  /** The paths of a session's manifests: media playlists of these rungs, then the MPD where its channel has one. */
  function pathsOf(name: string, given?: readonly string[]): string[] {
    const channel = channels.get(name)!;
    const rungs = (given ?? RUNGS[channel]!).map((rung) => `/hls/${channel}/{${name}}/${rung}.m3u8`);
    return channel === 'ts' ? rungs : [...rungs, `/dash/${channel}/{${name}}.mpd`];
  }
  /** The lines of a session's playlist. */
  const linesOf = async (path: string): Promise<string[]> => (await stage.get(path, { isQuiet: true })).split('\n');

  async function readAll(): Promise<string[]> {
    const texts: string[] = [];
    for (const name of channels.keys()) for (const path of pathsOf(name)) texts.push(await stage.get(path));
    return texts;
  }

  return {
    recorded: { goldens, restarts },
    async poll() {
      for (const name of channels.keys()) await stage.get(pathsOf(name)[0]!, { isQuiet: true });
    },
    opens: (channel, name, { by = 'hls', query = '' } = {}) => {
      const path = by === 'dash' ? `/dash/view/${channel}` : `/hls/${channel}/master.m3u8`;
      return async () => {
        await record(`${channel}/${name}.txt`, [
          () => stage.open(name, `${path}?api-key=key${query}`),
          get(`/hls/${channel}/master.m3u8?sid={${name}}`),
        ]);
        channels.set(name, channel);
      };
    },
    manifests: (name, rungs) => (second) =>
      record(`${channels.get(name)}/${name}-${at(second)}.txt`, pathsOf(name, rungs).map(get)),
    ads: (name, format) => (second) => {
      const channel = channels.get(name);
      return record(`${channel}/${name}-${at(second)}-ads.txt`, [
        get(`/tracking/{${name}}?format=${format}`),
        get(`/${format}/${channel}/{${name}}/vast${format === 'hls' ? '.xml' : ''}`),
      ]);
    },
    redirects: (name) => async (second) => {
      const channel = channels.get(name);
      const paths = (await linesOf(pathsOf(name)[0]!)).filter((line) => /^\d+-\d+-\d+\//.test(line));
      const requests = paths.map((path) => get(`/hls/${channel}/{${name}}/${path}`));
      await record(`${channel}/${name}-${at(second)}-segments.txt`, requests);
    },
    subtitles: (name) => async (second) => {
      const channel = channels.get(name);
      const lines = await linesOf(`/hls/${channel}/{${name}}/t0.m3u8`);
      const texts = lines
        .filter((line) => /\/[0-9a-f]{32}\/.*\.vtt$/.test(line))
        .map((line) => line.replace(/^(\.\.\/)+/, '/'));
      const [first, last] = [texts[0]!, texts.at(-1)!];
      const paths = [...new Set([first, last])].flatMap((path) => [path, path.replace('.vtt', '.m4s')]);
      await record(
        `${channel}/${name}-${at(second)}-subtitles.txt`,
        [...paths, first.replace(/\d+\.vtt$/, 'init.mp4')].map(get),
      );
    },
    trace: (name) => async (second) => {
      const text = steadyTrace(await stage.api('GET', `/sessions/{${name}}`), stage.now());
      goldens.set(`${channels.get(name)}/${name}-${at(second)}-trace.txt`, `${text}\n`);
    },
    api: (file, path) => async () => void goldens.set(file, `${await stage.api('GET', path)}\n`),
    edit: (path, body) => () => stage.api('PATCH', path, body),
    lose: (asset) => async () => stage.lose(asset),
    restart: () => async () => {
      const before = await readAll();
      await stage.restart();
      restarts.push({ before, after: await readAll() });
    },
  };
}
