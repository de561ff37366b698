// SPDX-License-Identifier: Apache-2.0
// Live channels on a virtual clock: viewers get their own ads in the breaks of a live origin, and its content around them.
import { expect, test } from 'vitest';
import { isOurs } from '../laws/readBack.ts';
import { fileStage } from './fileStage.ts';
import {
  airLive,
  expectAllBeaconsOnce,
  listedBreaks,
  replacedIntervals,
  segmentsOf,
  startOrigin,
} from './liveStage.ts';
import { type TracedBreak, titlesOf } from './stage.ts';
import type { Viewer } from './viewer.ts';

const stage = await fileStage();

/** Anna gets two ads, Bert one; both fill a break of 16 s. */
async function offerAds(channel: string): Promise<void> {
  const { adHost } = stage;
  const [six, ten, sixteen] = await Promise.all([stage.spot(6), stage.spot(10), stage.spot(16)]);
  const tracking = `${adHost.url}/beacon?event=[EVENT]`;
  adHost.on('/beacon', (response) => void response.writeHead(204).end());
  const hers = [
    { id: 'six', seconds: 6, url: six, sequence: 1, tracking },
    { id: 'ten', seconds: 10, url: ten, sequence: 2, tracking },
  ];
  const his = [{ id: 'sixteen', seconds: 16, url: sixteen, tracking }];
  adHost.offer(`/${channel}`, (viewer) => (viewer === 'anna' ? hers : his));
}

/** The breaks of a viewer that are over, with all ads, since the viewer opened the session. */
async function completeBreaks(viewer: Viewer, since: number): Promise<TracedBreak[]> {
  const now = stage.clock.now();
  return (await stage.breaks(viewer)).filter(
    ({ at, duration, slate, status }) =>
      at > since && at + 1000 * duration + 12_000 < now && slate === 0 && status === 'filled',
  );
}

function expectSameContent(anna: Viewer, bert: Viewer, since: number): void {
  for (const rung of anna.rungs) {
    const [hers, his] = [anna, bert].map(
      (viewer) => new Map(segmentsOf(viewer, rung).map(({ date, uri }) => [date, uri] as const)),
    ) as [Map<number, string>, Map<number, string>];
    const both = [...hers.keys()].filter((date) => date >= since && his.has(date));
    const content = both.filter((date) => !isOurs(hers.get(date)!));
    expect(content.length).toBeGreaterThan(10);
    for (const date of content) expect(his.get(date)).toBe(hers.get(date));
  }
}

test('two viewers get different ads in two breaks of an HLS origin', async () => {
  const breaks = { every: 40, seconds: 16, first: 32 };
  const origin = await startOrigin(stage, { hlsMarkers: 'cue', breaks, window: 8 });
  await offerAds('cue');
  await airLive(stage, 'cue', { sourceManifestUrl: origin.hlsUrl });
  const anna = await stage.watch('cue', { query: 'viewer=anna' });
  const bert = await stage.watch('cue', { query: 'viewer=bert', opens: 'dash' });
  const opened = stage.clock.now();
  await anna.until('both have seen two breaks with ads', async () => {
    const complete = await Promise.all([anna, bert].map((viewer) => completeBreaks(viewer, opened)));
    return complete.every((one) => one.length >= 2);
  });
  await Promise.all([anna.leave(), bert.leave()]);
  expect([...anna.faults, ...bert.faults]).toEqual([]);

  const truth = origin.broadcast.breaksBetween(origin.broadcast.runs[0]!, 0, 200).map(({ start, end }) => ({
    startsAt: origin.broadcast.startOf(origin.broadcast.runs[0]!, start),
    endsAt: origin.broadcast.startOf(origin.broadcast.runs[0]!, end!),
  }));
  const known = await listedBreaks(stage, 'cue');
  expect(known.length).toBeGreaterThanOrEqual(2);
  for (const { startsAt } of known) expect(truth.map((one) => one.startsAt)).toContain(Date.parse(startsAt));
  for (const [viewer, titles] of [
    [anna, ['Ad six', 'Ad ten']],
    [bert, ['Ad sixteen']],
  ] as const) {
    const complete = await completeBreaks(viewer, opened);
    for (const one of complete) expect(titlesOf(one)).toEqual(titles);
    // Content is back at the frame at which the origin returns, in every rung.
    for (const rung of viewer.rungs) {
      const replaced = replacedIntervals(viewer, rung);
      for (const { at } of complete) {
        const own = replaced.find(({ startsAt }) => Math.abs(startsAt - at) <= 22);
        const meant = truth.find(({ startsAt }) => startsAt === at);
        expect([rung, Math.abs((own?.endsAt ?? 0) - (meant?.endsAt ?? 1)) <= 22]).toEqual([rung, true]);
      }
    }
    const stitched = (await stage.breaks(viewer)).flatMap(({ id, ads }) => ads.map((_, index) => `${id}-${index}`));
    expect(stitched.length).toBeGreaterThan(0);
    await expectAllBeaconsOnce(stage, viewer, stitched);
  }
  expectSameContent(anna, bert, opened);
});
