// SPDX-License-Identifier: Apache-2.0
// Judges what ad servers and tracking hosts received: one ad request for each break of a viewer, each beacon that is due, and
// none twice unless the sending was cut.
import type { BeaconResponse } from '../../src/http/contract/beaconContract.ts';
import { EVENTS } from '../live/liveStage.ts';
import type { AdRequest } from './chaosAds.ts';
import { isOfStore, type Trouble } from './chaosTroubles.ts';
import type { FollowedSession } from './follower.ts';

export type RequestVerdict = {
  readonly breaks: number;
  readonly requests: number;
  /** Breaks whose ads were requested again because a node or a store failed before the decision was stored. */
  readonly repeated: readonly string[];
  /** Breaks whose ads were requested again without such a reason. */
  readonly unexplained: readonly string[];
};

/** Milliseconds from the ad response until the decision is stored, on a busy machine. */
const STORED_AFTER = 2000;

/** A node ended or was suspended, or a store was in trouble, before the decision of a request could be stored. */
function causesOf({ at, tookMs }: AdRequest, troubles: readonly Trouble[]): Trouble[] {
  const [from, to] = [at - 300, at + tookMs + STORED_AFTER];
  return troubles.filter((one) => {
    if (isOfStore(one)) return one.from < to && one.to > from;
    return !/Worker/.test(one.kind) && one.from > from && one.from < to;
  });
}

export function judgeRequests(requests: readonly AdRequest[], troubles: readonly Trouble[]): RequestVerdict {
  const byBreak = new Map<string, AdRequest[]>();
  for (const one of requests) {
    if (one.session === '') continue;
    const key = `${one.session} ${one.breakId}`;
    byBreak.set(key, [...(byBreak.get(key) ?? []), one]);
  }
  const repeated: string[] = [];
  const unexplained: string[] = [];
  for (const [key, list] of byBreak) {
    list.slice(1).forEach((again, index) => {
      const before = list[index]!;
      const causes = causesOf(before, troubles);
      const text = `${key}: requested at ${new Date(before.at).toISOString()} and again ${again.at - before.at} ms later`;
      if (causes.length > 0) repeated.push(`${text} (${causes.map(({ kind, name }) => `${kind} ${name}`).join()})`);
      else unexplained.push(text);
    });
  }
  return { breaks: byBreak.size, requests: requests.length, repeated, unexplained };
}

export type BeaconVerdict = {
  /** Beacons that follow from the segments that followers have requested. */
  readonly expected: number;
  /** Rows of the ledger. */
  readonly rows: number;
  /** Requests at the tracking host. */
  readonly received: number;
  /** Beacons that arrived more than once, with `unsure` in their row. */
  readonly marked: readonly string[];
  /** Beacons that arrived more often than their row explains. */
  readonly unmarked: readonly string[];
  /** Expected beacons without a row, rows that are not sent, and sent rows that did not arrive. */
  readonly lost: readonly string[];
  /** Arrived, but in no row; or for an ad of which nothing was requested. */
  readonly unfounded: readonly string[];
  /** Error URLs that were called more than once. */
  readonly repeatedErrors: readonly string[];
};

type Received = ReadonlyMap<string, readonly number[]>;

export function judgeBeacons(
  sessions: readonly FollowedSession[],
  ledger: readonly BeaconResponse[],
  { beacons, errors }: { readonly beacons: Received; readonly errors: Received },
): BeaconVerdict {
  const [marked, unmarked, lost, unfounded]: string[][] = [[], [], [], []];
  const rows = new Map<string, BeaconResponse>();
  for (const row of ledger) {
    const key = `${row.session} ${row.ad} ${row.event}`;
    const known = rows.get(key);
    // Each event of an ad has one URL.
    if (known !== undefined) unmarked!.push(`two rows: ${JSON.stringify(known)} and ${JSON.stringify(row)}`);
    rows.set(key, row);
  }
  let expected = 0;
  for (const { session, channel, deliveries } of sessions) {
    for (const ad of deliveries.complete()) {
      for (const event of EVENTS) {
        expected += 1;
        const row = rows.get(`${session} ${ad} ${event}`);
        if (row?.outcome !== 'sent')
          lost!.push(`${channel} ${session} ${ad} ${event}: ${row === undefined ? 'no row' : JSON.stringify(row)}`);
      }
    }
  }
  const known = new Set<string>();
  for (const row of ledger) {
    const { pathname, search } = new URL(row.url);
    const url = pathname + search;
    known.add(url);
    const count = beacons.get(url)?.length ?? 0;
    if (row.outcome === 'sent' && count === 0) lost!.push(`sent, but not received: ${JSON.stringify(row)}`);
    if (row.outcome === 'failed') lost!.push(`failed: ${JSON.stringify(row)}`);
    if (count <= 1) continue;
    const text = `${row.session} ${row.ad} ${row.event}: ${count} times, unsure ${row.unsure}`;
    if (count <= 1 + row.unsure) marked!.push(text);
    else
      unmarked!.push(`${text} (${beacons.get(url)!.map((at) => new Date(at).toISOString())}) ${JSON.stringify(row)}`);
  }
  for (const url of beacons.keys()) if (!known.has(url)) unfounded!.push(url);
  const received = [...beacons.values()].reduce((sum, { length }) => sum + length, 0);
  const repeatedErrors = [...errors].flatMap(([url, { length }]) => (length > 1 ? [`${url}: ${length} times`] : []));
  return {
    ...{ expected, rows: ledger.length, received, repeatedErrors },
    ...{ marked: marked!, unmarked: unmarked!, lost: lost!, unfounded: unfounded! },
  };
}
