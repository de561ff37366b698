// Looks ahead: is what the channels are about to show still there? What is gone is left out before a player asks for
// it, and taken back when it returns.
import { LRUCache } from 'lru-cache';
import type { ChannelRef } from '../channels/channelKey.ts';
import type { Millis } from '../time/units.ts';
import { segmentStart } from '../timeline/clip.ts';
import type { Programme } from '../timeline/programme.ts';
import { segmentUrl } from '../timeline/segmentUrl.ts';
import { clockAt, type Span } from '../timeline/span.ts';
import type { MonitoredAssets } from './assetSource.ts';
import type { Planner } from './planner.ts';

export type WatchDeps = {
  readonly assets: MonitoredAssets;
  readonly planner: Planner;
  readonly enabled: () => Promise<readonly ChannelRef[]>;
  readonly programmeOf: (channel: ChannelRef) => Programme | undefined;
  readonly now: () => Millis;
};

/** How far ahead content must be there, in milliseconds: an edition's lead and the time that noticing takes. */
const AHEAD = 45_000;
/** An asset is left out when it was not there so many times in a row. */
const STRIKES = 2;
/** URLs of which strikes are counted at a time. */
const MOST_STRUCK = 10_000;

const contentSpans = (programme: Programme, from: number, to: number): Span[] =>
  programme.spansBetween(from as Millis, to as Millis).filter(({ placed }) => placed.clip.kind === 'content');

/** The segment that a span shows at an instant, or its first when it starts later. */
function segmentAt({ placed }: Span, time: number) {
  const cell = placed.clip.cells[0]!;
  let index = cell.first;
  while (index + 1 < cell.end && clockAt(placed.start, segmentStart(placed.clip, cell, index + 1)) <= time) index += 1;
  return segmentUrl(cell.track, index);
}

/** An asset that is about to be shown: where, and by which channels. */
type Awaited = { readonly span: Span; readonly showing: Set<ChannelRef> };

/** @returns a function that looks once; call it every ten seconds or so */
export function createWatch({ assets, planner, enabled, programmeOf, now }: WatchDeps): () => Promise<void> {
  const strikes = new LRUCache<string, number>({ max: MOST_STRUCK });

  /** By the asset's URL: each is looked at once, however many channels show it. */
  function awaited(channels: readonly ChannelRef[]): Map<string, Awaited> {
    const found = new Map<string, Awaited>();
    for (const channel of channels) {
      const programme = programmeOf(channel);
      for (const span of programme === undefined ? [] : contentSpans(programme, now(), now() + AHEAD)) {
        const { url } = span.placed.clip.asset;
        const known = found.get(url);
        found.set(url, { span, showing: (known?.showing ?? new Set()).add(channel) });
      }
    }
    return found;
  }

  /** @returns whether the asset has to be left out from now on */
  async function isGone(url: string, span: Span): Promise<boolean> {
    const reason = await assets.probe(segmentAt(span, now() + AHEAD));
    const count = reason === undefined ? 0 : (strikes.get(url) ?? 0) + 1;
    if (count === 0 || count === STRIKES) strikes.delete(url);
    else strikes.set(url, count);
    if (count < STRIKES) return false;
    await assets.exclude(url, `its media can't be had: the origin ${reason}`);
    return true;
  }

  async function lookAhead(channels: readonly ChannelRef[]): Promise<void> {
    const looks = [...awaited(channels)].map(async ([url, { span, showing }]) =>
      (await isGone(url, span)) ? [...showing] : [],
    );
    const affected = new Set((await Promise.all(looks)).flat());
    await Promise.all([...affected].map((channel) => planner.plan(channel)));
  }

  /** Channels that miss something are planned again: what has come back is imported, and its items return. */
  async function lookBack(channel: ChannelRef): Promise<void> {
    const { items = [] } = (await planner.sharedStatus(channel)) ?? {};
    const urls = items.flatMap(({ state, url }) => (state === 'failed' && url ? [url] : []));
    // Not waited for: an origin that does not answer must not keep anybody from looking ahead.
    if ((await assets.dueForRetry([...new Set(urls)])).length > 0) void planner.plan(channel);
  }

  return async () => {
    const channels = await enabled();
    await lookAhead(channels);
    const { unplanned, failing } = await planner.survey(channels);
    for (const channel of unplanned) void planner.plan(channel);
    for (const channel of failing) await lookBack(channel);
  };
}
