// SPDX-License-Identifier: Apache-2.0
// Checks that the assets channels are about to show are available. An unavailable asset is excluded before players request it,
// and included again when it is available.
import { LRUCache } from 'lru-cache';
import type { ChannelRef } from '../channels/channelKey.ts';
import { defined } from '../invariant.ts';
import type { Millis } from '../time/units.ts';
import { segmentStart } from '../timeline/asset/clip.ts';
import { segmentUrl } from '../timeline/asset/segmentUrl.ts';
import type { Programme } from '../timeline/programme/programme.ts';
import { clockAt, type Span } from '../timeline/programme/span.ts';
import type { MonitoredAssets } from './assetSource.ts';
import type { Planner } from './planner.ts';

type WatchDeps = {
  readonly assets: MonitoredAssets;
  readonly planner: Planner;
  readonly enabled: () => Promise<readonly ChannelRef[]>;
  readonly programmeOf: (channel: ChannelRef) => Programme | undefined;
  readonly now: () => Millis;
};

/** How far ahead content is checked: the lead of an edition plus the time to detect a failure. */
const CHECK_AHEAD_MS = 45_000;
/** An asset is excluded after this many failed checks in a row. */
const FAILURES_TO_EXCLUDE = 2;
const MAX_COUNTED_URLS = 10_000;

/** Of assets: the reader of a live origin notices what is unavailable. */
const contentSpans = (programme: Programme, from: number, to: number): Span[] =>
  programme
    .spansBetween(from as Millis, to as Millis)
    .filter(({ placed, stretch }) => placed.clip.kind === 'content' && stretch === undefined);

/** The segment that a span shows at an instant, or its first segment if it starts later. */
function segmentAt({ placed }: Span, time: number) {
  const cell = defined(placed.clip.cells[0], 'a clip has a rung');
  let index = cell.first;
  while (index + 1 < cell.end && clockAt(placed.start, segmentStart(placed.clip, cell, index + 1)) <= time) index += 1;
  return segmentUrl(cell.track, index);
}

type Upcoming = { readonly span: Span; readonly showing: Set<ChannelRef> };

/** @returns a function that checks once. Call it about every ten seconds. */
export function createWatch({ assets, planner, enabled, programmeOf, now }: WatchDeps): () => Promise<void> {
  const failures = new LRUCache<string, number>({ max: MAX_COUNTED_URLS });

  /** The upcoming assets by URL: each is checked once, however many channels show it. */
  function upcoming(channels: readonly ChannelRef[]): Map<string, Upcoming> {
    const found = new Map<string, Upcoming>();
    for (const channel of channels) {
      const programme = programmeOf(channel);
      for (const span of programme === undefined ? [] : contentSpans(programme, now(), now() + CHECK_AHEAD_MS)) {
        const { url } = span.placed.clip.asset;
        const known = found.get(url);
        found.set(url, { span, showing: (known?.showing ?? new Set()).add(channel) });
      }
    }
    return found;
  }

  /** Excludes an asset after too many failures. @returns whether it was excluded */
  async function excludeIfUnavailable(url: string, span: Span): Promise<boolean> {
    const reason = await assets.probe(segmentAt(span, now() + CHECK_AHEAD_MS));
    const count = reason === undefined ? 0 : (failures.get(url) ?? 0) + 1;
    if (count === 0 || count === FAILURES_TO_EXCLUDE) failures.delete(url);
    else failures.set(url, count);
    if (count < FAILURES_TO_EXCLUDE) return false;
    await assets.exclude(url, `its media is unavailable: the origin ${reason}`);
    return true;
  }

  async function checkUpcoming(channels: readonly ChannelRef[]): Promise<void> {
    const checks = [...upcoming(channels)].map(async ([url, { span, showing }]) =>
      (await excludeIfUnavailable(url, span)) ? [...showing] : [],
    );
    const affected = new Set((await Promise.all(checks)).flat());
    await Promise.all([...affected].map((channel) => planner.plan(channel)));
  }

  /** Plans a channel with failures again if an attempt is due: available assets are imported and their items return. */
  async function retryFailed(channel: ChannelRef): Promise<void> {
    const { items = [], retryAt } = (await planner.sharedStatus(channel)) ?? {};
    if (retryAt !== undefined && now() >= retryAt) void planner.plan(channel);
    const urls = items.flatMap(({ state, url }) => (state === 'failed' && url ? [url] : []));
    // Not awaited: an origin that does not respond must not delay the next check.
    if ((await assets.dueForRetry([...new Set(urls)])).length > 0) void planner.plan(channel);
  }

  return async () => {
    const channels = await enabled();
    await checkUpcoming(channels);
    const { unplanned, failing } = await planner.survey(channels);
    // A planning that is not over yet is not repeated.
    for (const channel of unplanned) if (planner.statusUnderWay(channel) === undefined) void planner.plan(channel);
    for (const channel of failing) await retryFailed(channel);
  };
}
