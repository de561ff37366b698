// SPDX-License-Identifier: Apache-2.0
// A follower of a VoD channel: its manifests never change, whichever node responds, and its ad segments are requested in the
// rhythm of playback.
import { setTimeout as wait } from 'node:timers/promises';
import { readHls, readMpd } from '../laws/readBack.ts';
import { type FollowedSession, type Following, openFollowed, requestSegment } from './follower.ts';

type Listed = { readonly uri: string; readonly seconds: number };

const listedIn = (text: string, format: 'hls' | 'dash'): Listed[] =>
  format === 'hls'
    ? readHls(text).segments.map(({ uri, duration }) => ({ uri, seconds: duration / 1e6 }))
    : readMpd(text).flatMap(({ urls, durations }) => {
        const [video] = Object.keys(urls) as [string];
        return urls[video]!.map((uri, index) => ({ uri, seconds: durations[video]![index]! / 1e6 }));
      });

/** @returns the session, or undefined if none could be opened */
export async function followVod(following: Following): Promise<FollowedSession | undefined> {
  const { client, counts, format, random, channel } = following;
  const opened = await openFollowed(following);
  if (opened === undefined) return undefined;
  const first: string[] = [];

  async function readAll(): Promise<boolean> {
    for (const [place, path] of opened!.manifests.entries()) {
      const reply = await client.persist(path, following.isOver);
      if (reply === undefined) return false;
      if (reply.status !== 200) throw new Error(`${path} returned ${reply.status}: ${reply.text}`);
      counts.polls += 1;
      first[place] ??= reply.text;
      if (reply.text !== first[place])
        throw new Error(`${channel} ${format}: law 1: a manifest changed from\n${first[place]}\nto\n${reply.text}`);
    }
    return true;
  }

  const requests: Promise<void>[] = [];
  try {
    if (!(await readAll())) return opened;
    const listed = listedIn(first[0]!, format);
    counts.segments += listed.length;
    const tracked = new Set(opened.deliveries.list(listed.map(({ uri }) => uri)));
    opened.deliveries.end();
    for (const { uri, seconds } of listed) {
      if (following.isOver()) break;
      if (tracked.has(uri)) requests.push(requestSegment(following, opened, uri));
      await wait(1000 * seconds);
      if (random() < 0.2 && !(await readAll())) break;
    }
  } catch (error) {
    following.fault((error as Error).message);
  }
  await Promise.all(requests);
  return opened;
}
