// SPDX-License-Identifier: Apache-2.0
// Two viewers of one channel, in HLS and in DASH, get the same content and different ads. Every segment exists and decodes.
import { expect } from 'vitest';
import { isOurs } from '../../laws/readBack.ts';
import { decodeSpans, overlapOf } from '../decode.ts';
import { adSource, item, type Stage, titlesOf } from '../stage.ts';
import type { Viewer } from '../viewer.ts';

type Shown = { readonly content: Map<number, string>; readonly ads: Map<number, string> };

/** The URIs that a rung listed from an instant on, by date: content, and the media of breaks. */
function shown({ listed }: Viewer, rung: string, from: number): Shown {
  const all = [...listed.get(rung)!.values()].filter(({ date }) => date >= from);
  const byDate = (areOurs: boolean) =>
    new Map(all.filter(({ uri }) => isOurs(uri) === areOurs).map(({ date, uri }) => [date, uri]));
  return { content: byDate(false), ads: byDate(true) };
}

/** The number of break segments that differ between the viewers at the same date. */
const differing = (anna: Viewer, bert: Viewer, rung: string, from: number): number => {
  const [hers, his] = [shown(anna, rung, from), shown(bert, rung, from)];
  return [...hers.ads].filter(([date, uri]) => his.ads.get(date) !== uri).length;
};

function expectSameContent(anna: Viewer, bert: Viewer, from: number): void {
  for (const rung of anna.rungs) {
    const [hers, his] = [shown(anna, rung, from), shown(bert, rung, from)];
    const both = [...hers.content.keys()].filter((date) => his.content.has(date));
    expect(both.length).toBeGreaterThan(6);
    for (const date of both) expect(his.content.get(date)).toBe(hers.content.get(date));
    // Both have content and breaks at the same dates. The audio of a break begins a frame early, beside the last frame of content.
    if (!rung.startsWith('a')) for (const date of hers.content.keys()) expect(his.ads.has(date)).toBe(false);
    expect(differing(anna, bert, rung, from)).toBeGreaterThan(3);
  }
}

async function expectDecodable(viewer: Viewer): Promise<void> {
  for (const rung of ['v0', 'a0']) {
    const spans = await decodeSpans(viewer, rung);
    expect(spans.length).toBeGreaterThan(4);
    for (const span of spans) {
      const { seconds, frames, decoderErrors, uris } = span;
      expect(decoderErrors, uris.join('\n')).toBe('');
      if (rung === 'v0') expect(frames.video, uris.join('\n')).toBe(Math.round(seconds * 25));
      else {
        const beyond = frames.audio! - overlapOf(span) - (seconds * 48_000) / 1024;
        expect(Math.abs(beyond), uris.join('\n')).toBeLessThanOrEqual(1.5);
      }
    }
  }
}

type Expected = { readonly anna: readonly string[]; readonly bert: readonly string[] };

async function watchBoth(stage: Stage, channel: string, ads: Expected): Promise<void> {
  const anna = await stage.watch(channel, { query: 'viewer=anna' });
  const bert = await stage.watch(channel, { query: 'viewer=bert', opens: 'dash' });
  const opened = stage.clock.now();

  const titles = async (viewer: Viewer) => new Set((await stage.breaks(viewer)).flatMap(titlesOf));
  const hasAds = async (viewer: Viewer, meant: readonly string[]) =>
    new Set(shown(viewer, 'v0', opened).ads.values()).size >= 5 && (await titles(viewer)).size >= meant.length;
  const areDifferent = () => anna.rungs.every((rung) => differing(anna, bert, rung, opened) > 3);
  await anna.until(
    'both viewers have different ads',
    async () => {
      const haveAds = (await hasAds(anna, ads.anna)) && (await hasAds(bert, ads.bert));
      return haveAds && areDifferent() && stage.clock.now() > opened + 42_000;
    },
    async () => {
      const differs = anna.rungs.map((rung) => `${rung}: ${differing(anna, bert, rung, opened)} segments differ`);
      const traces = [...(await stage.breaks(anna)).slice(-2), ...(await stage.breaks(bert)).slice(-2)];
      return `${differs.join(', ')}\n${JSON.stringify(traces, null, 1)}`;
    },
  );
  await Promise.all([anna.leave(), bert.leave()]);
  expect([...anna.faults, ...bert.faults]).toEqual([]);
  expectSameContent(anna, bert, opened);
  expect(await titles(anna)).toEqual(new Set(ads.anna));
  expect(await titles(bert)).toEqual(new Set(ads.bert));
  await expectDecodable(anna);
}

/** A channel of short items with a mid-roll and a pre-roll, whose viewers get different ads. */
export async function airShortItems(stage: Stage): Promise<void> {
  const { adHost } = stage;
  const [two, one] = await Promise.all([
    stage.video({ seconds: 8, qualities: 2 }),
    stage.video({ seconds: 8, container: 'dash' }),
  ]);
  const [spot3, spot4, spot5] = await Promise.all([stage.spot(3), stage.spot(4), stage.spot(5)]);
  const hers = [
    { id: 'three', seconds: 3, url: spot3 },
    { id: 'four', seconds: 4, url: spot4 },
  ];
  adHost.offer('/two', (viewer) => (viewer === 'anna' ? hers : [{ id: 'five', seconds: 5, url: spot5 }]));
  const cuts = [{ spliceTime: 4, maxDuration: 7 }];
  const preRoll = [{ spliceTime: 0, maxDuration: 6, maxAds: 1 }];
  await stage.air('short', [item(two, ...cuts), item(one, ...preRoll)], { adSource: adSource(adHost, '/two') });
}

export async function twoViewersOfShortItems(stage: Stage): Promise<void> {
  await airShortItems(stage);
  await watchBoth(stage, 'short', { anna: ['Ad three', 'Ad four'], bert: ['Ad five'] });
}

export async function twoViewersOfTheDemo(stage: Stage): Promise<void> {
  const { adHost, origin } = stage;
  adHost.offer('/demo', (viewer) => [
    { id: viewer, seconds: 10, url: `${origin.url}/spots/${viewer === 'anna' ? 'coffee' : 'islands'}.mp4` },
  ]);
  const cuts = [0, 8, 16, 24].map((spliceTime) => ({ spliceTime, maxDuration: 10 }));
  await stage.air('demo', [item(`${origin.url}/tide/master.m3u8`, ...cuts)], { adSource: adSource(adHost, '/demo') });
  await watchBoth(stage, 'demo', { anna: ['Ad anna'], bert: ['Ad bert'] });
}
