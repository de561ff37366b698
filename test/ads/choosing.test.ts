// What a viewer is shown, over several breaks of a real channel: bumpers around the ads, and something new when there is
// a choice.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeSpans } from '../live/decode.ts';
import { adSource, item, openVirtualStage, type Stage, type TracedBreak, titlesOf } from '../live/stage.ts';
import type { Viewer } from '../live/viewer.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openVirtualStage();
});
afterAll(() => stage?.close());

const isOver = ({ at, duration }: TracedBreak) => at + duration * 1000 + 2000 < stage.clock.now();

test('bumpers stand around the ads, in HLS and DASH, and the ads change from break to break', async () => {
  const { midroll, adHost } = stage;
  const [video, intro, outro, three, four, five] = await Promise.all([
    stage.video({ seconds: 6 }),
    ...[1, 2, 3, 4, 5].map((seconds) => stage.spot(seconds)),
  ]);
  adHost.offer('/three', () => [
    { id: 'three', seconds: 3, url: three! },
    { id: 'four', seconds: 4, url: four! },
    { id: 'five', seconds: 5, url: five! },
  ]);
  await stage.air('choosing', [item(video!, { spliceTime: 4, maxDuration: 9, maxAds: 1 })], {
    adSource: adSource(adHost, '/three'),
    bumpers: { intro, outro },
    playlistSize: 20,
  });
  const viewer = await stage.watch('choosing');
  const over = async () => (await stage.breaks(viewer)).filter(isOver);
  /** Breaks for which there was a choice: every creative was ready. */
  const free = async () =>
    (await over()).filter(
      ({ ads }) => ads.length === 3 && ads.every(({ reason }) => reason?.code !== 'CREATIVE_PREPARING'),
    );
  const withBumpers = async () => (await over()).filter((one) => (one as { bumpers?: number }).bumpers === 3);
  await viewer.until(
    'four breaks with a choice, two of them with bumpers',
    async () => (await withBumpers()).length >= 2 && (await free()).length >= 4,
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
  for (const one of await free()) {
    const before = all[all.findIndex(({ id }) => id === one.id) - 1];
    if (before !== undefined) expect(titlesOf(one)).not.toEqual(titlesOf(before));
  }
  // The first of them may have known only one that was ready before; from then on they take turns.
  const titles = (await free()).slice(1, 4).flatMap(titlesOf);
  expect(new Set(titles)).toEqual(new Set(['Ad three', 'Ad four', 'Ad five']));
  for (const span of await decodeSpans(viewer, viewer.rungs[0]!)) expect(span.decoderErrors).toBe('');
  expect(midroll.bugs()).toEqual([]);
});

test('a pod opens and closes with the same creative, in HLS and DASH, and a channel may show it once', async () => {
  const { adHost } = stage;
  const [video, bumper, three] = await Promise.all([stage.video({ seconds: 6 }), stage.spot(1), stage.spot(3)]);
  adHost.offer('/pod', () => [
    { id: 'opening', seconds: 1, url: bumper!, sequence: 1 },
    { id: 'middle', seconds: 3, url: three!, sequence: 2 },
    { id: 'closing', seconds: 1, url: bumper!, sequence: 3 },
  ]);
  const contents = [item(video!, { spliceTime: 4, maxDuration: 5 })];
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
