// SPDX-License-Identifier: Apache-2.0
// Bumpers of the entries of a schedule, with real media on a virtual clock: an entry with bumpers of its own, one with those of the
// channel, and one with none.
import { expect, test } from 'vitest';
import { isOurs, sharedMedia } from '../../laws/readBack.ts';
import { naming } from '../../naming.ts';
import { fileStage } from '../fileStage.ts';
import { adSource, item } from '../stage.ts';
import type { Viewer } from '../viewer.ts';

const stage = await fileStage();
const iso = (at: number) => new Date(at).toISOString();

/** What a viewer was shown of ours from an instant on, up to the next content: the media, and for how many seconds. */
function clipsFrom({ listed }: Viewer, from: number): { media: string; seconds: number }[] {
  const clips: { media: string; seconds: number }[] = [];
  const shown = [...listed.get('v0')!.values()].sort((one, other) => one.number - other.number);
  for (const { uri, duration } of shown.filter(({ date }) => date >= from - 20)) {
    if (!isOurs(uri)) return clips;
    const media = sharedMedia(uri).split('/')[0]!;
    const last = clips.at(-1);
    if (last?.media === media) last.seconds += duration / 1e6;
    else clips.push({ media, seconds: duration / 1e6 });
  }
  return clips;
}
const secondsOf = (clips: ReturnType<typeof clipsFrom>) =>
  clips.map(({ seconds }) => Math.round(seconds * 1000) / 1000);

test('each entry frames its breaks with its own bumpers, those of the channel, or none', async () => {
  const [film, filler, spot, intro, outro, own] = await Promise.all([
    stage.video({ seconds: 40 }),
    stage.video({ seconds: 8 }),
    ...[5, 2, 3, 4].map((seconds) => stage.spot(seconds)),
  ]);
  stage.adHost.offer('/framed', () => [{ id: 'five', seconds: 5, url: spot! }]);
  const channel = { adSource: adSource(stage.adHost, '/framed'), bumpers: { intro, outro } };
  await stage.air('framed', [item(filler!)], { state: 'disabled', ...channel });
  const start = Math.ceil(stage.clock.now() / 1000) * 1000 + 60_000;
  const at = (index: number) => start + index * 60_000;
  const entry = { source: { url: film }, breaks: [{ spliceTime: 20, maxDuration: 15 }] };
  const missing = `${stage.origin.url}/missing.mp4`;
  const entries = [
    { ...entry, id: 'warm', start: iso(at(0)) },
    { ...entry, id: 'own', start: iso(at(1)), bumpers: { intro: own } },
    { ...entry, id: 'plain', start: iso(at(2)) },
    { ...entry, id: 'bare', start: iso(at(3)), bumpers: {} },
    { ...entry, id: 'broken', start: iso(at(4)), bumpers: { intro: missing, outro: own } },
  ];
  const put = await stage.api('PUT', '/channels/framed/schedule', { entries });
  expect(put.entries.map(({ bumpers }: { bumpers?: object }) => bumpers)).toEqual(
    entries.map((one) => ('bumpers' in one ? one.bumpers : undefined)),
  );
  await stage.api('PATCH', '/channels/framed', { state: 'enabled' });
  const viewer = await stage.watch('framed');
  const dash = await stage.watch('framed', { opens: 'dash' });
  await viewer.until('all breaks', () => stage.clock.now() > at(5));
  const { stateReason } = await stage.api('GET', '/channels/framed');
  const traced = (await stage.breaks(viewer)) as unknown as { at: number; bumpers?: number; warnings?: string[] }[];
  const ofEntry = (index: number) => traced.find((one) => Math.abs(one.at - at(index) - 20_000) < 100)!;
  await Promise.all([viewer.leave(), dash.leave()]);
  expect([viewer.faults, dash.faults]).toEqual([[], []]);

  const shown = [1, 2, 3, 4].map((index) => secondsOf(clipsFrom(viewer, ofEntry(index).at)));
  expect(shown).toEqual([
    [4, 5, 6],
    [2, 5, 5, 3],
    [5, 10],
    [5, 6, 4],
  ]);
  expect([1, 2, 3, 4].map((index) => ofEntry(index).bumpers)).toEqual([4, 5, undefined, 4]);
  expect(ofEntry(4).warnings).toEqual([naming('broken')]);
  expect(stateReason).toEqual(naming('broken'));
});
