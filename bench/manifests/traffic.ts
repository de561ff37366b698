// SPDX-License-Identifier: Apache-2.0
// What the players of a bench server request, in turn, and whether an answer is what the player of this session must receive.

import { creativesOf } from '../benchPods.ts';
import type { Answer } from '../harness/load.ts';
import { followAds } from './followAds.ts';
import { manifestFault } from './manifestFault.ts';
import { type BenchShape, channelOf, sessionIdOf, viewerOf } from './shape.ts';

export type Traffic = {
  readonly next: () => string;
  readonly fault: (path: string, answer: Answer) => string | undefined;
  /** How many segments of ads have been requested. */
  readonly segments: () => number;
};

const ID_LENGTH = 36;

/** The viewer of a path below /hls/:channel/:session or /dash/:channel/:session. */
function viewerIn(path: string): number {
  const at = path.indexOf('/', path.indexOf('/', 1) + 1) + 1;
  return viewerOf(path.slice(at, at + ID_LENGTH));
}

/** Rungs of a ladder: its video renditions, then audio. */
const rungOf = (shape: BenchShape, viewer: number, poll: number): string =>
  shape.renditions === 'one' ? 'v0' : `v${(viewer + poll) % shape.qualities}`;

/** The path of the n-th request of a manifest. With all renditions, a poll is one of video, in turn, and one of audio. */
function manifestPath(shape: BenchShape, base: (viewer: number) => string, n: number): string {
  const { sessions, format, renditions } = shape;
  if (format === 'dash') return `${base(n % sessions)}.mpd`;
  if (renditions === 'one') return `${base(n % sessions)}/v0.m3u8`;
  const viewer = (n >> 1) % sessions;
  const rung = n % 2 === 1 ? 'a0' : rungOf(shape, viewer, Math.floor(n / 2 / sessions));
  return `${base(viewer)}/${rung}.m3u8`;
}

/** Paths of manifests of sessions without what follows the id. */
const basePath = (shape: BenchShape, viewer: number): string =>
  `/${shape.format}/${channelOf(viewer, shape)}/${sessionIdOf(viewer)}`;

/** @param isGzip whether answers must be compressed */
export function createTraffic(shape: BenchShape, isGzip: boolean): Traffic {
  const bases = Array.from({ length: shape.sessions }, (_, viewer) => basePath(shape, viewer));
  const creatives = new Map<number, readonly string[]>();
  const marksOf = (viewer: number): readonly string[] => {
    const known = creatives.get(viewer) ?? creativesOf(viewer, shape.adFrames).map((id) => `/${id}/`);
    creatives.set(viewer, known);
    return known;
  };
  const { viewersPerFollower: every } = shape;
  const follower = followAds();
  const queue: string[] = [];
  let sent = 0;
  let segments = 0;
  return {
    segments: () => segments,
    next: () => queue.pop() ?? manifestPath(shape, (viewer) => bases[viewer]!, sent++),
    fault(path, answer) {
      if (path.endsWith('.m4s')) segments += 1;
      if (path.endsWith('.m4s'))
        return answer.head.startsWith('HTTP/1.1 302') ? undefined : `expected a redirect; got ${answer.head}`;
      const viewer = viewerIn(path);
      const marks = { channel: `/${channelOf(viewer, shape)}.`, session: sessionIdOf(viewer), ads: marksOf(viewer) };
      const found = manifestFault(shape.format, isGzip, marks, answer);
      if (found === undefined && every > 0 && viewer % every === 0)
        queue.push(...follower(viewer, answer.first.toString('latin1'), bases[viewer]!).reverse());
      return found;
    },
  };
}
