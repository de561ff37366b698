// SPDX-License-Identifier: Apache-2.0
// A player that inserts the ads itself: it reads the manifests that all viewers share, requests the list of a break, and downloads the
// media of its clips in order, at the pace of playback.
import { expect } from 'vitest';
import { readHls, readMpd } from '../../laws/readBack.ts';
import { checkMpd } from '../../laws/schema/checkMpd.ts';
import { mediaPlaylists } from '../openSession.ts';
import type { Stage } from '../stage.ts';

export type GuidedPlayer = {
  readonly session: string;
  /** The breaks that its manifests list now: URLs of their lists, and milliseconds since 1970, or of the presentation. */
  breaks(): Promise<readonly { readonly list: string; readonly at: number }[]>;
  /** Plays what the list of a break names. @returns the seconds that it played */
  play(list: string): Promise<number>;
};

/** A segment of each rung, with what has to be loaded for them. */
type Step = { readonly urls: readonly string[]; readonly seconds: number };

async function read(url: string): Promise<string> {
  const response = await fetch(url);
  const text = await response.text();
  expect([url, response.status, response.ok ? '' : text]).toEqual([url, 200, '']);
  return text;
}

/** Segments of all rungs by their index: rungs of short clips can have different numbers of segments. */
function stepsOf(rungs: readonly (readonly { readonly url: string; readonly seconds: number }[])[]): Step[] {
  const count = Math.max(...rungs.map(({ length }) => length));
  return Array.from({ length: count }, (_, index) => ({
    urls: rungs.flatMap((one) => one[index]?.url ?? []),
    seconds: rungs[0]![index]?.seconds ?? 0,
  }));
}

async function stepsOfHls(multivariant: string): Promise<Step[]> {
  const playlists = mediaPlaylists(await read(multivariant)).map((path) => new URL(path, multivariant).href);
  const rungs = playlists.map(async (playlist) => {
    const { segments, isEnded } = readHls(await read(playlist));
    expect(isEnded, playlist).toBe(true);
    return segments.map(({ uri, duration }) => ({ url: new URL(uri, playlist).href, seconds: duration / 1e6 }));
  });
  return stepsOf(await Promise.all(rungs));
}

async function stepsOfMpd(url: string): Promise<Step[]> {
  const text = await read(url);
  const [period] = readMpd(text);
  const base = new URL(/<BaseURL>([^<]*)<\/BaseURL>/.exec(text)![1]!, url);
  const { urls, durations } = period!;
  const rungs = Object.keys(urls).map((rung) =>
    urls[rung]!.map((uri, index) => ({ url: new URL(uri, base).href, seconds: durations[rung]![index]! / 1e6 })),
  );
  return stepsOf(rungs);
}

async function clipsOfHls(list: string): Promise<string[]> {
  const { ASSETS } = JSON.parse(await read(list)) as { ASSETS: { URI: string }[] };
  return ASSETS.map(({ URI }) => URI);
}

async function clipsOfMpd(list: string): Promise<string[]> {
  const text = await read(list);
  checkMpd(text);
  return [...text.matchAll(/<ImportedMPD>([^<]*)<\/ImportedMPD>/g)].map(([, url]) => url!);
}

async function breaksInHls(multivariant: string, url: string, session: string) {
  const playlist = new URL(mediaPlaylists(multivariant)[0]!, url).href;
  const text = await read(playlist);
  return [...text.matchAll(/START-DATE="([^"]*)".*X-ASSET-LIST="([^"]*)"/g)].map(([, at, list]) => ({
    list: new URL(list!.replace('{$sid}', session), playlist).href,
    at: Date.parse(at!),
  }));
}

async function breaksInMpd(url: string, session: string) {
  const periods = readMpd(await read(url));
  return periods.flatMap(({ alternatives }) =>
    alternatives.map(({ uri, start }) => ({ list: `${uri}?sid=${session}`, at: start })),
  );
}

/** Opens a session whose player inserts the ads. */
export async function openGuided(
  { clock, midroll: { liveUrl } }: Stage,
  channel: string,
  format: 'hls' | 'dash',
  query = '',
): Promise<GuidedPlayer> {
  const view = JSON.parse(await read(`${liveUrl}/${format}/view/${channel}?api-key=key&insertion=guided&${query}`));
  const { sessionId: session, guidedURL: url } = view as Record<string, string>;
  expect([view.insertion, view.mediaURL]).toEqual(['guided', expect.stringContaining(`sid=${session}`)]);
  const multivariant = format === 'hls' ? await read(url!) : '';
  return {
    session: session!,
    breaks: () => (format === 'hls' ? breaksInHls(multivariant, url!, session!) : breaksInMpd(url!, session!)),
    async play(list) {
      const clips = format === 'hls' ? await clipsOfHls(list) : await clipsOfMpd(list);
      let played = 0;
      for (const clip of clips) {
        for (const { urls, seconds } of await (format === 'hls' ? stepsOfHls(clip) : stepsOfMpd(clip))) {
          await Promise.all(urls.map(async (one) => (await fetch(one)).arrayBuffer()));
          await clock.sleep(1000 * seconds);
          played += seconds;
        }
      }
      return played;
    },
  };
}
