// SPDX-License-Identifier: Apache-2.0
// Law 8: requests the same manifest of a viewer from all nodes that run, at the same time, and compares what they list in
// common. Their clocks differ, so one may be ahead of another.
import { readHls, readMpd, type SeenSegment } from '../laws/readBack.ts';
import type { ChaosNode } from './chaosProcess.ts';
import type { Opened } from './follower.ts';

/** Of the same proxy, so that absolute URLs are the same. */
const headers = { 'x-forwarded-host': 'live.example.com', 'x-forwarded-proto': 'https' };

async function read(node: ChaosNode, path: string): Promise<string | undefined> {
  try {
    const response = await fetch(node.midroll.liveUrl + path, { headers, signal: AbortSignal.timeout(3000) });
    const text = await response.text();
    return response.status === 200 ? text : undefined;
  } catch {
    return undefined;
  }
}

/** A segment of a rung by what identifies it, and everything about it. */
type Listing = ReadonlyMap<string, string>;

function listHls(text: string): Listing {
  const about = (segment: SeenSegment) => JSON.stringify({ ...segment, mapKeys: segment.mapKeys !== '' });
  return new Map(readHls(text).segments.map((segment) => [String(segment.number), about(segment)]));
}
/** By Period and instant. A short segment of sound may start where its Period ends. */
function listDash(text: string): Listing {
  const listing = new Map<string, string>();
  for (const { id, start, urls, starts, offsets } of readMpd(text)) {
    for (const [rung, list] of Object.entries(urls))
      list.forEach((url, index) => {
        const at = Math.round(starts[rung]![index]!);
        listing.set(`${id} ${rung} ${at}`, `${url}, Period at ${start} with offset ${offsets[rung]}`);
      });
  }
  return listing;
}

/** @returns what differs, or undefined */
export function difference(one: Listing, other: Listing): string | undefined {
  const common = [...one.keys()].filter((key) => other.has(key));
  const different = common.find((key) => one.get(key) !== other.get(key));
  if (different !== undefined) return `${different}: ${one.get(different)}\nand ${other.get(different)}`;
  return common.length === 0 ? 'no segment is listed by both' : undefined;
}

/** @returns the number of nodes that responded, and what differs */
export async function compareNodes(
  nodes: readonly ChaosNode[],
  { manifests, format, channel }: Opened,
  random: () => number,
): Promise<{ readonly compared: number; readonly different?: string }> {
  const path = manifests[Math.floor(random() * manifests.length)]!;
  const running = nodes.filter((node) => node.state() === 'running');
  const texts = await Promise.all(running.map((node) => read(node, path)));
  const list = format === 'hls' ? listHls : listDash;
  const listings = texts.flatMap((text, index) =>
    text === undefined ? [] : [{ name: running[index]!.name, text, listing: list(text) }],
  );
  const [first, ...others] = listings;
  for (const other of others) {
    const different = difference(first!.listing, other.listing);
    if (different !== undefined) {
      const both = `${first!.name} returned\n${first!.text}\n${other.name} returned\n${other.text}`;
      return { compared: listings.length, different: `law 8: ${channel} ${path}: ${different}\n${both}` };
    }
  }
  return { compared: listings.length };
}
