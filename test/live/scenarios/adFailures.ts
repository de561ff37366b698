// Ad servers and creatives as they fail: the stream goes on, with slate where ads are missing, and the trace says why.
import { expect } from 'vitest';
import { type Ad, startAdHost } from '../adHost.ts';
import { adSource, item, type Stage, type TracedBreak, titlesOf } from '../stage.ts';

type Story = {
  readonly status: 'filled' | 'partial' | 'empty';
  /** Of the break. */
  readonly code?: string;
  /** What the reason, or the reason of the ad that is not shown, must say. */
  readonly says?: RegExp;
  readonly titles?: readonly string[];
  /** Seconds. */
  readonly slate: number;
};

export type AdFailure = {
  readonly name: string;
  /** The channel's ad source; or the ads that a server that is well answers with. */
  readonly source: (stage: Stage) => Promise<object | readonly Ad[]>;
  readonly story: Story;
};

const BREAK = 6;
const nowhere = 'http://127.0.0.1:9/vast';
const path = (name: string) => async (stage: Stage) => ({ url: stage.adHost.url + name });
/** A host of its own: whoever is slow again and again is left alone for a moment, whatever else it is asked for. */
const alone = (name: string, timeoutMs: number) => async (stage: Stage) => {
  const host = await startAdHost();
  stage.onClose(() => host.close());
  return { url: host.url + name, timeoutMs };
};
const ad = (url: string, seconds: number): Ad => ({ id: 'odd', seconds, url });
/** An ad whose creative answers with what the ad host does at a path, and one that is well. */
const creativeAt = (name: string) => async (stage: Stage) => [
  ad(stage.adHost.url + name, 3),
  { id: 'fine', seconds: 3, url: await stage.spot(3) },
];
const empty = (code: string, says: RegExp): Story => ({ status: 'empty', code, says, slate: BREAK });
const beside = (says: RegExp): Story => ({
  status: 'partial',
  code: 'TOO_FEW_ADS',
  says,
  titles: ['Ad fine'],
  slate: 3,
});

export const adFailures: readonly AdFailure[] = [
  {
    name: 'an ad server that is down',
    source: async () => ({ url: nowhere }),
    story: empty('AD_SERVER_FAILED', /refused|reached/),
  },
  {
    name: 'an ad server that is slow',
    source: alone('/never', 800),
    story: empty('AD_SERVER_TIMEOUT', /\b800 ms/),
  },
  {
    name: 'an ad server that answers HTML',
    source: path('/html'),
    story: empty('VAST_UNREADABLE', /VAST/),
  },
  { name: 'an empty VAST', source: async () => [], story: empty('NO_ADS', /VAST/) },
  { name: 'a body of 100 MB', source: path('/declaresTooMuch'), story: empty('AD_SERVER_FAILED', /\b2097152\b/) },
  {
    name: 'a body that never ends',
    source: alone('/endless', 10_000),
    story: empty('AD_SERVER_FAILED', /\b2097152\b/),
  },
  { name: 'a creative that is 404', source: creativeAt('/not-there.mp4'), story: beside(/404/) },
  { name: 'a creative without a byte', source: creativeAt('/empty'), story: beside(/empty/) },
  { name: 'a creative that is HTML', source: creativeAt('/html'), story: beside(/page|HTML/) },
  {
    name: 'a creative that never comes',
    source: creativeAt('/never'),
    story: beside(/prepared|in time/),
  },
  {
    name: 'a creative longer than it claims, and than the break',
    source: async (stage) => [ad(await stage.spot(8), 4)],
    story: empty('NO_AD_SHOWN', /\b8\.00 s.*\b6\.00 s/),
  },
  {
    name: 'a creative longer than it claims that fits',
    source: async (stage) => [ad(await stage.spot(5), 2)],
    story: { status: 'partial', code: 'TOO_FEW_ADS', titles: ['Ad odd'], slate: 1 },
  },
  {
    name: 'a creative shorter than it claims',
    source: async (stage) => [ad(await stage.spot(3), 6)],
    story: { status: 'partial', code: 'TOO_FEW_ADS', titles: ['Ad odd'], slate: 3 },
  },
  {
    name: 'a VAST with twenty ads, most of them broken',
    source: async (stage) => [
      ...Array.from({ length: 19 }, (_, index) => ad(`${stage.adHost.url}/gone-${index}.mp4`, 3)),
      { id: 'fine', seconds: 3, url: await stage.spot(3) },
    ],
    story: beside(/404/),
  },
];

function isAsTold(one: TracedBreak | undefined, { status, code, says, titles = [], slate }: Story): boolean {
  if (one === undefined) return false;
  const reasons = [one.reason, ...one.ads.map(({ reason }) => reason)].map((reason) => reason?.text ?? '').join(' ');
  const isSaid = one.reason?.code === code && (says === undefined || says.test(reasons));
  return isSaid && one.status === status && one.slate === slate && `${titlesOf(one)}` === `${titles}`;
}

/** Two breaks at least; more where creatives need longer than the first ones wait for them. */
export async function playWithAdFailure(stage: Stage, { name, source, story }: AdFailure): Promise<void> {
  const channel = name.replaceAll(/\W+/g, '-');
  const [video, given] = await Promise.all([stage.video({ seconds: 8 }), source(stage)]);
  const isWell = Array.isArray(given);
  if (isWell) stage.adHost.offer(`/${channel}`, () => given);
  await stage.air(channel, [item(video, { spliceTime: 4, maxDuration: BREAK })], {
    adSource: isWell ? adSource(stage.adHost, `/${channel}`) : given,
  });
  const viewer = await stage.watch(channel);
  let over: TracedBreak[] = [];
  const isTold = async () => {
    const breaks = await stage.breaks(viewer);
    over = breaks.filter(({ at, duration }) => at + duration * 1000 + 2000 < stage.clock.now());
    return over.length > 1 && isAsTold(over.at(-1), story);
  };
  await viewer.until('a break as it should be', isTold, () =>
    JSON.stringify(over.map(({ reason, ads }) => [reason, ads])),
  );
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
}
