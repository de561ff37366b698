// Looks ahead: is what the channels are about to show still there? What is gone is left out before a player asks for
// it, and taken back when it returns.
import { timelineBetween } from '../channels/lineup.ts';
import type { Millis } from '../time/units.ts';
import type { Asset } from '../timeline/asset.ts';
import { segmentStart } from '../timeline/clip.ts';
import { segmentUrl } from '../timeline/segmentUrl.ts';
import { clockAt, type Span } from '../timeline/span.ts';
import type { OnAir } from './airChannel.ts';
import type { WatchedAssets } from './assetSource.ts';
import type { Planner } from './planner.ts';

export type WatchDeps = {
  readonly assets: WatchedAssets;
  readonly planner: Planner;
  readonly channelIds: () => Promise<readonly string[]>;
  readonly lineupOf: (channelId: string) => OnAir['lineup'] | undefined;
  readonly now: () => Millis;
};

/** How far ahead content must be there, in milliseconds: an edition's lead and the time that noticing takes. */
const AHEAD = 45_000;
/** An asset is left out when it was not there so many times in a row. */
const STRIKES = 2;

const contentSpans = (lineup: OnAir['lineup'], from: number, to: number): Span[] =>
  timelineBetween(lineup, from as Millis, to as Millis).filter(({ placed }) => placed.clip.kind === 'content');

/** The segment that a span shows at an instant, or its first when it starts later. */
function segmentAt({ placed }: Span, time: number) {
  const cell = placed.clip.cells[0]!;
  let index = cell.first;
  while (index + 1 < cell.end && clockAt(placed.start, segmentStart(placed.clip, cell, index + 1)) <= time) index += 1;
  return segmentUrl(cell.track, index);
}

/** @returns a function that looks once; call it every ten seconds or so */
export function createWatch({ assets, planner, channelIds, lineupOf, now }: WatchDeps): () => Promise<void> {
  const strikes = new Map<string, number>();

  /** @returns whether the asset has to be left out from now on */
  async function isGone(span: Span): Promise<boolean> {
    const { url }: Asset = span.placed.clip.asset;
    const reason = await assets.probe(segmentAt(span, now() + AHEAD));
    if (reason === undefined) {
      strikes.delete(url);
      return false;
    }
    const count = (strikes.get(url) ?? 0) + 1;
    strikes.set(url, count);
    if (count < STRIKES) return false;
    strikes.delete(url);
    assets.setAside(url, `its media can't be had: the origin ${reason}`);
    return true;
  }

  async function lookAhead(channelId: string): Promise<void> {
    const lineup = lineupOf(channelId);
    if (lineup === undefined) return;
    const spans = new Map(contentSpans(lineup, now(), now() + AHEAD).map((span) => [span.placed.clip.asset.url, span]));
    const gone = await Promise.all([...spans.values()].map(isGone));
    if (gone.some((one) => one)) await planner.plan(channelId);
  }

  /** Channels that miss something are planned again: what has come back is imported, and its items return. */
  async function lookBack(channelId: string): Promise<void> {
    const urls = planner.status(channelId)?.items.flatMap(({ state, url }) => (state === 'failed' && url ? [url] : []));
    if (assets.takeBack(urls ?? []).length === 0) return;
    await planner.plan(channelId, { fresh: true });
  }

  return async () => {
    for (const channelId of await channelIds()) {
      await lookAhead(channelId);
      await lookBack(channelId);
    }
  };
}
