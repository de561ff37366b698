// SPDX-License-Identifier: Apache-2.0
// A follower of a linear or live channel: polls its manifests as a player does, requests the ad segments that they list, and
// checks the laws on every text.
import { setTimeout as wait } from 'node:timers/promises';
import { ColumnWitness, RowsWitness } from '../laws/witness.ts';
import { createDashListing } from '../live/dashListing.ts';
import type { Reply } from './balancedClient.ts';
import { type FollowedSession, type Following, type Opened, openFollowed, requestSegment } from './follower.ts';
import { createPlayhead } from './playhead.ts';

export type WindowLimits = {
  /** Seconds. */
  readonly target: number;
  /** Seconds that a manifest lists. */
  readonly window: number;
  /** Milliseconds that the edge of a manifest may be behind the clock. */
  readonly longestStop: number;
  /** Whether the machine was too busy between two instants to judge how far an edge has moved. */
  readonly wasBusy: (from: number, to: number) => boolean;
};

/** The longest frame duration, the tolerance for dates. */
const rate = { n: 24_000, d: 1001 };
/** Milliseconds that what a manifest lists may be behind the clock, or shorter than the window. */
const SLACK = 9000;

/** What a manifest lists of the first video rung. */
type Listed = { readonly uris: readonly string[]; readonly edge: number };

type Reader = (text: string) => Listed;

/** Checks the texts of one manifest. A reader throws if a law is broken. */
function createReader({ channel, format }: Following, { session, rungs }: Opened, place: number): Reader {
  if (format === 'hls') {
    const column = new ColumnWitness(`${channel} ${format} ${session} ${rungs[place]}`, rate, 400);
    return (text) => {
      const { segments } = column.check(text, 0);
      const { date, duration } = segments.at(-1)!;
      return { uris: segments.map(({ uri }) => uri), edge: date + duration / 1000 };
    };
  }
  const rows = new RowsWitness();
  const listing = createDashListing();
  return (text) => {
    const periods = rows.check(text);
    const ids = Object.keys(periods[0]!.urls);
    const [first] = ids.map((id) => listing.add(id, periods, 0));
    const { date, duration } = first!.at(-1)!;
    const [video] = ids as [string];
    return { uris: periods.flatMap(({ urls }) => urls[video] ?? []), edge: date + duration / 1000 };
  };
}

/** @returns the session, or undefined if none could be opened */
export async function followWindow(following: Following, limits: WindowLimits): Promise<FollowedSession | undefined> {
  const { counts, client, random, format, channel } = following;
  const opened = await openFollowed(following);
  if (opened === undefined) return undefined;
  const readers = opened.manifests.map((_, place) => ({
    read: createReader(following, opened, place),
    at: Date.now(),
  }));
  const playhead = createPlayhead(limits.target, following.onStall);
  const requests: Promise<void>[] = [];
  let isBroken = false;
  let edge = 0;

  /** Law 4: how far the edge is behind the clock, at the earliest instant at which the text can have been written. */
  function checkEdge(listed: Listed, reply: Reply): void {
    const behind = Math.round(reply.requestedAt - listed.edge);
    const kind = `${channel} ${format}`;
    counts.longestStop[kind] = Math.max(counts.longestStop[kind] ?? 0, behind);
    if (behind <= limits.longestStop) return;
    if (limits.wasBusy(reply.requestedAt - behind, reply.receivedAt)) counts.overloadedStops += 1;
    else following.fault(`law 4: the edge is ${behind} ms behind the clock\n${reply.text}`);
  }

  function take(reply: Reply, place: number): void {
    if (reply.status !== 200) throw new Error(`a manifest returned ${reply.status}: ${reply.text}`);
    counts.polls += 1;
    const reader = readers[place]!;
    // What was listed last may have left the window: a player begins again.
    if (reply.receivedAt - reader.at > 1000 * limits.window - SLACK)
      reader.read = createReader(following, opened!, place);
    reader.at = reply.requestedAt;
    const listed = reader.read(reply.text);
    if (place > 0) return;
    if (listed.edge > edge) counts.segments += 1;
    edge = listed.edge;
    playhead.listed(edge, reply.receivedAt);
    checkEdge(listed, reply);
    for (const uri of opened!.deliveries.list(listed.uris)) requests.push(requestSegment(following, opened!, uri));
  }

  while (!following.isOver() && !isBroken) {
    const before = edge;
    const replies = await Promise.all(opened.manifests.map((path) => client.send(path)));
    try {
      replies.forEach((reply, place) => {
        if (reply !== undefined) take(reply, place);
      });
    } catch (error) {
      isBroken = true;
      following.fault((error as Error).message);
    }
    // RFC 8216 §6.3.4: a playlist that has not changed is read again after half a target duration.
    const pause = replies.includes(undefined) ? 700 : edge > before ? 1000 * limits.target : 500 * limits.target;
    await wait(pause * (0.9 + 0.2 * random()));
  }
  await Promise.all(requests);
  return opened;
}
