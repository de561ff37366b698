// SPDX-License-Identifier: Apache-2.0
// A follower whose player inserts the ads: it reads the manifests that all viewers share, requests the list of each new break, and
// the ad segments of its clips in the rhythm of playback. A list is the same whenever and at whichever node it is requested.
import { setTimeout as wait } from 'node:timers/promises';
import { readHls, readMpd } from '../laws/readBack.ts';
import { mediaPlaylists } from '../live/openSession.ts';
import { createAdDeliveries } from './adDeliveries.ts';
import { type FollowedSession, type Following, requestSegment } from './follower.ts';

type Segment = { readonly uri: string; readonly seconds: number };

/** Paths of the lists of the breaks in a guided manifest. */
function listsIn(text: string, format: 'hls' | 'dash', path: string, session: string): string[] {
  if (format === 'dash')
    return readMpd(text).flatMap(({ alternatives }) =>
      alternatives.map(({ uri }) => `${new URL(uri).pathname}?sid=${session}`),
    );
  const lists = [...text.matchAll(/X-ASSET-LIST="([^"]*)"/g)].map(([, list]) => list!.replace('{$sid}', session));
  return lists.map((list) => new URL(list, `http://live${path}`).pathname);
}

const clipsIn = (list: string, format: 'hls' | 'dash'): string[] =>
  format === 'hls'
    ? (JSON.parse(list) as { ASSETS: { URI: string }[] }).ASSETS.map(({ URI }) => new URL(URI).pathname)
    : [...list.matchAll(/<ImportedMPD>([^<]*)</g)].map(([, url]) => new URL(url!).pathname);

/** @returns the session, or undefined if none could be opened */
export async function followGuided(following: Following): Promise<FollowedSession | undefined> {
  const { client, counts, channel, format, name, random } = following;

  /** @returns undefined if it is over before there was a response */
  async function read(path: string): Promise<string | undefined> {
    const reply = await client.persist(path, following.isOver);
    if (reply === undefined) return undefined;
    if (reply.status !== 200) throw new Error(`${path} returned ${reply.status}: ${reply.text}`);
    counts.polls += 1;
    return reply.text;
  }

  const view = await read(`/${format}/view/${channel}?api-key=key&viewer=${name}&insertion=guided`);
  if (view === undefined) return undefined;
  counts.sessions += 1;
  const { sessionId: session, guidedURL } = JSON.parse(view) as { sessionId: string; guidedURL: string };
  const opened = { session, channel, format, deliveries: createAdDeliveries(), manifests: [], rungs: [] };

  async function segmentsOf(clip: string): Promise<readonly Segment[] | undefined> {
    const text = await read(clip);
    if (text === undefined) return undefined;
    if (format === 'dash') {
      const [{ urls, durations }] = readMpd(text) as [ReturnType<typeof readMpd>[number]];
      const [video] = Object.keys(urls) as [string];
      return urls[video]!.map((uri, index) => ({ uri, seconds: durations[video]![index]! / 1e6 }));
    }
    const media = await read(new URL(mediaPlaylists(text)[0]!, `http://live${clip}`).pathname);
    const { segments } = readHls(media ?? '');
    return segments.map(({ uri, duration }) => ({ uri: uri.replace(/^(\.\.\/)+/, ''), seconds: duration / 1e6 }));
  }

  const requests: Promise<void>[] = [];
  async function play(list: string): Promise<void> {
    const first = await read(list);
    if (first === undefined) return;
    for (const clip of clipsIn(first, format)) {
      const segments = await segmentsOf(clip);
      if (segments === undefined || following.isOver()) return;
      const tracked = new Set(opened.deliveries.list(segments.map(({ uri }) => uri)));
      opened.deliveries.end();
      counts.segments += segments.length;
      for (const { uri, seconds } of segments) {
        if (tracked.has(uri)) requests.push(requestSegment(following, opened, uri));
        await wait(1000 * seconds);
      }
    }
    const again = await read(list);
    if (again !== undefined && again !== first)
      throw new Error(`law 8: the list ${list} changed from\n${first}\nto\n${again}`);
  }

  try {
    const { pathname, search } = new URL(guidedURL);
    const multivariant = format === 'hls' ? await read(pathname + search) : undefined;
    const own = multivariant === undefined ? guidedURL : new URL(mediaPlaylists(multivariant)[0]!, guidedURL).href;
    const manifest = new URL(own);
    const played = new Set<string>();
    while (!following.isOver()) {
      const text = await read(manifest.pathname + manifest.search);
      const lists = listsIn(text ?? '', format, manifest.pathname, session).filter((list) => !played.has(list));
      for (const list of lists) played.add(list);
      // A viewer of a film plays all breaks; one who joins a channel does not play those that are over.
      for (const list of channel === 'film' ? lists : lists.slice(-1)) await play(list);
      if (channel === 'film') break;
      await wait(2000 + 1000 * random());
    }
  } catch (error) {
    following.fault((error as Error).message);
  }
  await Promise.all(requests);
  return opened;
}
