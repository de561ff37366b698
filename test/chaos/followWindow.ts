// SPDX-License-Identifier: Apache-2.0
// A follower of a linear or live channel: polls its manifests as a player does, requests the ad segments that they list, and
// checks the laws on every text.
import { setTimeout as wait } from 'node:timers/promises';
import { readMpd } from '../laws/readBack.ts';
import { ColumnWitness, RowsWitness } from '../laws/witness.ts';
import { createDashListing } from '../live/dashListing.ts';
import type { Reply } from './balancedClient.ts';
import { type FollowedSession, type Following, type Opened, openFollowed, requestSegment } from './follower.ts';
import { createPlayhead } from './playhead.ts';

export type WindowLimits = {
  /** Seconds. */
  readonly target: number;
  /** Milliseconds that the edge of a manifest may be behind the clock. */
  readonly longestStop: number;
  /** Whether time may be missing in the timeline. */
  readonly mayJump: () => boolean;
  /** Whether the machine was too busy between two instants to judge how far an edge has moved. */
  readonly wasBusy: (from: number, to: number) => boolean;
};

/** The longest frame duration, the tolerance for dates. */
const rate = { n: 24_000, d: 1001 };
/** Milliseconds without a manifest after which a player begins again: what it has listed last may have left the window. */
const GIVE_UP = 20_000;

/** What a manifest lists of the first video rung. */
type Listed = { readonly uris: readonly string[]; readonly edge: number };

/** Checks the texts of one session. Each function throws if a law is broken. */
function createReader({ channel, format }: Following, { session, rungs }: Opened, mayJump: () => boolean) {
  const name = `${channel} ${format} ${session}`;
  const columns = rungs.map((rung) => new ColumnWitness(`${name} ${rung}`, rate, 400, mayJump, false));
  const rows = new RowsWitness();
  const listing = createDashListing({ mayJump: false });
  const readPlaylist = (text: string, rung: number): Listed => {
    const { segments } = columns[rung]!.check(text, 0);
    const { date, duration } = segments.at(-1)!;
    return { uris: segments.map(({ uri }) => uri), edge: date + duration / 1000 };
  };
  const readAll = (text: string): Listed => {
    const periods = rows.check(text);
    const ids = Object.keys(periods[0]!.urls);
    const [first] = ids.map((id) => listing.add(id, periods, 0));
    const { date, duration } = first!.at(-1)!;
    const [video] = ids as [string];
    return { uris: periods.flatMap(({ urls }) => urls[video] ?? []), edge: date + duration / 1000 };
  };
  return (text: string, place: number): Listed => (format === 'hls' ? readPlaylist(text, place) : readAll(text));
}

/** @returns the session, or undefined if none could be opened */
export async function followWindow(following: Following, limits: WindowLimits): Promise<FollowedSession | undefined> {
  const { counts, client, random, format, channel } = following;
  const opened = await openFollowed(following);
  if (opened === undefined) return undefined;
  let read = createReader(following, opened, limits.mayJump);
  const playhead = createPlayhead(limits.target, following.onStall);
  const requests: Promise<void>[] = [];
  let lastReplyAt = Date.now();
  let isBroken = false;
  let edge = 0;

  /** Law 4: how far the edge is behind the clock, at the earliest instant at which the text can have been written. */
  function checkEdge(listed: Listed, reply: Reply): void {
    const behind = reply.requestedAt - listed.edge;
    const kind = `${channel} ${format}`;
    counts.longestStop[kind] = Math.max(counts.longestStop[kind] ?? 0, behind);
    if (behind <= limits.longestStop) return;
    if (limits.wasBusy(reply.requestedAt - behind, reply.receivedAt)) counts.overloadedStops += 1;
    else following.fault(`law 4: the edge is ${behind} ms behind the clock\n${reply.text}`);
  }

  function take(reply: Reply, place: number): void {
    if (reply.status !== 200) throw new Error(`a manifest returned ${reply.status}: ${reply.text}`);
    counts.polls += 1;
    if (reply.requestedAt - lastReplyAt > GIVE_UP) read = createReader(following, opened!, limits.mayJump);
    lastReplyAt = reply.receivedAt;
    const listed = read(reply.text, place);
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

/** Ids of Periods with their starts and URLs, for the comparison of nodes. */
export const periodsOf = (text: string) => readMpd(text).map(({ id, start, urls }) => ({ id, start, urls }));
