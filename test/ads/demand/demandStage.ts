// SPDX-License-Identifier: Apache-2.0
// A channel whose ad server fills half of each break, and bidders that respond as a test says.
import { writeVast } from '../../live/adHost.ts';
import { untilConditioned } from '../../live/liveStage.ts';
import { item, type Stage, type TracedBreak } from '../../live/stage.ts';
import type { Viewer } from '../../live/viewer.ts';

/** A break of the channel: 4 s of the ad server, and 6 s for others. */
export const BREAK_SECONDS = 10;
const CONTENT_SECONDS = 6;

export type Bid = {
  readonly id: string;
  readonly seconds: number;
  readonly url: string;
  readonly price: number;
} & Record<string, unknown>;

/** A bid with VAST, and the notices that its URL counts. */
export function bidOf({ id, seconds, url, price, ...more }: Bid, beacons: string) {
  const notice = (name: string) => `${beacons}/${name}?bid=${id}&price=\${AUCTION_PRICE}&loss=\${AUCTION_LOSS}`;
  const adm = writeVast([{ id, seconds, url, tracking: `${beacons}/[EVENT]?bid=${id}` }]);
  const notices = { nurl: notice('win'), burl: notice('bill'), lurl: notice('lose') };
  return {
    id,
    impid: '1',
    price,
    adm,
    dur: seconds,
    mtype: 2,
    crid: id,
    adomain: [`${id}.example`],
    ...notices,
    ...more,
  };
}

export const bidResponse = (id: unknown, bid: readonly object[], more: object = {}): string =>
  JSON.stringify({ id, cur: 'USD', seatbid: [{ seat: 'one', bid }], ...more });

/** Creates ad sources by the admin API. */
export async function addSources(stage: Stage, sources: readonly object[]): Promise<void> {
  for (const one of sources) await stage.api('POST', '/ad-sources', one);
}

/** A linear channel with a break of BREAK_SECONDS in each turn of its video, two seconds before the end. */
export async function airSteps(
  stage: Stage,
  id: string,
  steps: readonly (readonly string[])[],
  more: object = {},
  seconds = CONTENT_SECONDS,
) {
  const content = await stage.video({ seconds });
  const contents = [item(content, { spliceTime: seconds - 2, maxDuration: BREAK_SECONDS })];
  await stage.air(id, contents, { adSteps: steps.map((sources) => ({ sources })), playlistSize: 20, ...more });
}

/** A break in the trace of a session with steps. */
export type SteppedBreak = Omit<TracedBreak, 'ads'> & {
  /** Seconds that could be filled. */
  readonly limits?: { readonly duration: number };
  readonly sources?: readonly {
    readonly source: string;
    readonly step: number;
    readonly offered: number;
    readonly requested?: { readonly duration: number };
    readonly request?: { readonly ms: number };
    readonly reason?: { readonly code: string };
  }[];
  readonly ads: readonly (TracedBreak['ads'][number] & {
    readonly advertisers?: readonly string[];
    readonly source?: string;
    readonly step?: number;
    readonly price?: { readonly amount: number; readonly currency: string };
  })[];
};

/** The breaks of a viewer that are over. */
export async function endedBreaks(stage: Stage, viewer: Viewer): Promise<readonly SteppedBreak[]> {
  const all = (await stage.breaks(viewer)) as readonly SteppedBreak[];
  return all.filter(({ at, duration }) => at + duration * 1000 + 2000 < stage.clock.now());
}

/** Watches until so many breaks are over, and leaves. @param settled the first break that counts: creatives are ready */
export async function watchBreaks(
  stage: Stage,
  channel: string,
  {
    count,
    isSettled = () => true,
    how = {},
  }: {
    readonly count: number;
    readonly isSettled?: (one: SteppedBreak) => boolean;
    readonly how?: object;
  },
): Promise<{ readonly viewer: Viewer; readonly breaks: readonly SteppedBreak[] }> {
  const viewer = await stage.watch(channel, how);
  const settled = async () => {
    const all = await endedBreaks(stage, viewer);
    const first = all.findIndex(isSettled);
    return first < 0 ? [] : all.slice(first);
  };
  await viewer.until(
    `${count} breaks of ${channel}`,
    async () => (await settled()).length >= count,
    () => '',
  );
  await viewer.leave();
  return { viewer, breaks: await settled() };
}

/** Waits until spots of these lengths are ready for a channel. */
export async function untilReady(stage: Stage, channel: string, lengths: readonly number[]): Promise<void> {
  const ads = await Promise.all(
    lengths.map(async (seconds) => ({ id: `spot${seconds}`, seconds, url: await stage.spot(seconds) })),
  );
  stage.adHost.offer('/spots', () => ads);
  await untilConditioned(stage, channel, { vastUrl: `${stage.adHost.url}/spots` });
}
