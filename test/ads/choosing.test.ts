// SPDX-License-Identifier: Apache-2.0
// The ads of several breaks of a channel: bumpers around them, and different ads from break to break.
import { expect, test } from 'vitest';
import { decodeSpans } from '../live/decode.ts';
import { fileStage } from '../live/fileStage.ts';
import { adSource, item, type TracedBreak, titlesOf } from '../live/stage.ts';
import type { Viewer } from '../live/viewer.ts';

const stage = await fileStage();

const isOver = ({ at, duration }: TracedBreak) => at + duration * 1000 + 2000 < stage.clock.now();

test('bumpers surround the ads, in HLS and DASH, and the ads change from break to break', async () => {
  const { midroll, adHost } = stage;
  const [content, intro, outro, three, four, five] = await Promise.all([
    stage.video({ seconds: 6 }),
    ...[1, 2, 3, 4, 5].map((seconds) => stage.spot(seconds)),
  ]);
  adHost.offer('/three', () => [
    { id: 'three', seconds: 3, url: three! },
    { id: 'four', seconds: 4, url: four! },
    { id: 'five', seconds: 5, url: five! },
  ]);
  await stage.air('choosing', [item(content!, { spliceTime: 4, maxDuration: 9, maxAds: 1 })], {
    adSource: adSource(adHost, '/three'),
    bumpers: { intro, outro },
    playlistSize: 20,
  });
  const viewer = await stage.watch('choosing');
  const over = async () => (await stage.breaks(viewer)).filter(isOver);
  /** Breaks before which every creative was ready, so that there was a choice. */
  const withChoice = async () =>
    (await over()).filter(
      ({ ads }) => ads.length === 3 && ads.every(({ reason }) => reason?.code !== 'CREATIVE_PREPARING'),
    );
  const withBumpers = async () => (await over()).filter((one) => (one as { bumpers?: number }).bumpers === 3);
  await viewer.until(
    'four breaks with a choice, two of them with bumpers',
    async () => (await withBumpers()).length >= 2 && (await withChoice()).length >= 4,
    () => '',
  );
  await viewer.leave();
  expect(viewer.faults).toEqual([]);

  for (const one of await withBumpers()) {
    const { ads, slate, duration } = one;
    const [shown] = ads.filter(({ outcome }) => outcome === 'stitched');
    expect(shown!.duration + slate + 3).toBeCloseTo(duration, 5);
    expect(Date.parse(shown!.startsAt!) - one.at).toBe(1000);
  }
  const all = await over();
  for (const one of await withChoice()) {
    const before = all[all.findIndex(({ id }) => id === one.id) - 1];
    if (before !== undefined) expect(titlesOf(one)).not.toEqual(titlesOf(before));
  }
  // Before the first of these breaks only one creative may have been ready. From then on the ads alternate.
  const titles = (await withChoice()).slice(1, 4).flatMap(titlesOf);
  expect(new Set(titles)).toEqual(new Set(['Ad three', 'Ad four', 'Ad five']));
  for (const span of await decodeSpans(viewer, viewer.rungs[0]!)) expect(span.decoderErrors).toBe('');
  expect(midroll.bugs()).toEqual([]);
});

test('a pod may start and end with the same creative, in HLS and DASH, unless the channel drops repeats', async () => {
  const { adHost } = stage;
  const [content, bumper, three] = await Promise.all([stage.video({ seconds: 6 }), stage.spot(1), stage.spot(3)]);
  adHost.offer('/pod', () => [
    { id: 'opening', seconds: 1, url: bumper!, sequence: 1 },
    { id: 'middle', seconds: 3, url: three!, sequence: 2 },
    { id: 'closing', seconds: 1, url: bumper!, sequence: 3 },
  ]);
  const contents = [item(content!, { spliceTime: 4, maxDuration: 5 })];
  const settings = { adSource: adSource(adHost, '/pod'), playlistSize: 20 };
  await stage.air('pod', contents, settings);
  await stage.air('once', contents, { ...settings, repeats: 'drop' });
  const [viewer, other] = await Promise.all([stage.watch('pod'), stage.watch('once')]);
  const last = async (one: Viewer) => (await stage.breaks(one)).filter(isOver).at(-1);
  const outcomes = ({ ads }: TracedBreak) => ads.map(({ title, reason }) => `${title} ${reason?.code ?? 'shown'}`);
  await viewer.until(
    'a full pod',
    async () => (await last(viewer))?.status === 'filled',
    () => '',
  );
  expect(outcomes((await last(viewer))!)).toEqual(['Ad opening shown', 'Ad middle shown', 'Ad closing shown']);
  const repeated = ['Ad opening shown', 'Ad middle shown', 'Ad closing CREATIVE_REPEATED'];
  await other.until(
    'a shortened pod',
    async () => outcomes((await last(other))!).join() === repeated.join(),
    () => '',
  );
  await Promise.all([viewer.leave(), other.leave()]);
  expect([...viewer.faults, ...other.faults]).toEqual([]);
  for (const span of await decodeSpans(viewer, viewer.rungs[0]!)) expect(span.decoderErrors).toBe('');
});
