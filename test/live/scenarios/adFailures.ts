// SPDX-License-Identifier: Apache-2.0
// Failing ad servers and creatives: the stream continues with slate, and the trace states the reason.
import { expect } from 'vitest';
import { type Ad, startAdHost } from '../adHost.ts';
import { adSource, item, type Stage, type TracedBreak, titlesOf } from '../stage.ts';

type ExpectedBreak = {
  readonly status: 'filled' | 'partial' | 'empty';
  /** The reason code of the break. */
  readonly code?: string;
  /** Matches the text of a reason, of the break or of a skipped ad. */
  readonly reasonText?: RegExp;
  readonly titles?: readonly string[];
  /** Seconds. */
  readonly slate: number;
};

export type AdFailure = {
  readonly name: string;
  /** The channel's ad source, or the ads that a working ad server returns. */
  readonly source: (stage: Stage) => Promise<object | readonly Ad[]>;
  readonly expected: ExpectedBreak;
};

const BREAK = 6;
const unreachableUrl = 'http://127.0.0.1:9/vast';
const path = (name: string) => async (stage: Stage) => ({ url: stage.adHost.url + name });
/** A path of a separate host: Midroll sends no requests to a host for a while after repeated timeouts. */
const ownHost = (name: string, timeoutMs: number) => async (stage: Stage) => {
  const host = await startAdHost();
  stage.onClose(() => host.close());
  return { url: host.url + name, timeoutMs };
};
const ad = (url: string, seconds: number): Ad => ({ id: 'odd', seconds, url });
/** An ad whose creative is the response of the ad host at a path, and an ad with a working creative. */
const creativeAt = (name: string) => async (stage: Stage) => [
  ad(stage.adHost.url + name, 3),
  { id: 'fine', seconds: 3, url: await stage.spot(3) },
];
const empty = (code: string, reasonText: RegExp): ExpectedBreak => ({
  status: 'empty',
  code,
  reasonText,
  slate: BREAK,
});
const partial = (reasonText: RegExp): ExpectedBreak => ({
  status: 'partial',
  code: 'TOO_FEW_ADS',
  reasonText,
  titles: ['Ad fine'],
  slate: 3,
});

export const adFailures: readonly AdFailure[] = [
  {
    name: 'an unreachable ad server leaves slate',
    source: async () => ({ url: unreachableUrl }),
    expected: empty('AD_SERVER_FAILED', /refused|reached/),
  },
  {
    name: 'a slow ad server leaves slate',
    source: ownHost('/never', 800),
    expected: empty('AD_SERVER_TIMEOUT', /\b800 ms/),
  },
  {
    name: 'an HTML response leaves slate',
    source: path('/html'),
    expected: empty('VAST_UNREADABLE', /VAST/),
  },
  { name: 'an empty VAST leaves slate', source: async () => [], expected: empty('NO_ADS', /VAST/) },
  {
    name: 'a body of 100 MB is rejected',
    source: path('/declaresTooMuch'),
    expected: empty('AD_SERVER_FAILED', /\b2097152\b/),
  },
  {
    name: 'an endless body is rejected',
    source: ownHost('/endless', 10_000),
    expected: empty('AD_SERVER_FAILED', /\b2097152\b/),
  },
  { name: 'a creative that returns 404 is skipped', source: creativeAt('/not-there.mp4'), expected: partial(/404/) },
  { name: 'an empty creative is skipped', source: creativeAt('/empty'), expected: partial(/empty/) },
  { name: 'an HTML creative is skipped', source: creativeAt('/html'), expected: partial(/page|HTML/) },
  {
    name: 'a creative that never responds is skipped',
    source: creativeAt('/never'),
    expected: partial(/prepared|in time/),
  },
  {
    name: 'a creative longer than the break is skipped',
    source: async (stage) => [ad(await stage.spot(8), 4)],
    expected: empty('NO_AD_SHOWN', /\b8\.00 s.*\b6\.00 s/),
  },
  {
    name: 'a creative longer than its Duration is shown if it fits',
    source: async (stage) => [ad(await stage.spot(5), 2)],
    expected: { status: 'partial', code: 'TOO_FEW_ADS', titles: ['Ad odd'], slate: 1 },
  },
  {
    name: 'a creative shorter than its Duration leaves slate',
    source: async (stage) => [ad(await stage.spot(3), 6)],
    expected: { status: 'partial', code: 'TOO_FEW_ADS', titles: ['Ad odd'], slate: 3 },
  },
  {
    name: 'the working ad of twenty is shown',
    source: async (stage) => [
      ...Array.from({ length: 19 }, (_, index) => ad(`${stage.adHost.url}/gone-${index}.mp4`, 3)),
      { id: 'fine', seconds: 3, url: await stage.spot(3) },
    ],
    expected: partial(/404/),
  },
];

function isAsExpected(
  one: TracedBreak | undefined,
  { status, code, reasonText, titles = [], slate }: ExpectedBreak,
): boolean {
  if (one === undefined) return false;
  const reasons = [one.reason, ...one.ads.map(({ reason }) => reason)].map((reason) => reason?.text ?? '').join(' ');
  const hasReason = one.reason?.code === code && (reasonText === undefined || reasonText.test(reasons));
  return hasReason && one.status === status && one.slate === slate && `${titlesOf(one)}` === `${titles}`;
}

/** Plays at least two breaks, and more while creatives are not ready. */
export async function playWithAdFailure(stage: Stage, { name, source, expected }: AdFailure): Promise<void> {
  const channel = name.replaceAll(/\W+/g, '-');
  const [video, adsOrSource] = await Promise.all([stage.video({ seconds: 8 }), source(stage)]);
  const isAdList = Array.isArray(adsOrSource);
  if (isAdList) stage.adHost.offer(`/${channel}`, () => adsOrSource);
  await stage.air(channel, [item(video, { spliceTime: 4, maxDuration: BREAK })], {
    adSource: isAdList ? adSource(stage.adHost, `/${channel}`) : adsOrSource,
  });
  const viewer = await stage.watch(channel);
  let pastBreaks: TracedBreak[] = [];
  const hasExpectedBreak = async () => {
    const breaks = await stage.breaks(viewer);
    pastBreaks = breaks.filter(({ at, duration }) => at + duration * 1000 + 2000 < stage.clock.now());
    return pastBreaks.length > 1 && isAsExpected(pastBreaks.at(-1), expected);
  };
  await viewer.until('the last break is as expected', hasExpectedBreak, () =>
    JSON.stringify(pastBreaks.map(({ reason, ads }) => [reason, ads])),
  );
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
}
