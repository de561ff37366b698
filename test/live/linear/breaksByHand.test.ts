// SPDX-License-Identifier: Apache-2.0
// Breaks and blackouts that an operator inserts into a vod2live channel, with real media on a virtual clock.
import { expect, test } from 'vitest';
import { isOurs, sharedMedia } from '../../laws/readBack.ts';
import { fileStage } from '../fileStage.ts';
import { adSource, item, titlesOf } from '../stage.ts';
import type { Viewer } from '../viewer.ts';

const stage = await fileStage();

async function order(channel: string, body: object, status: number): Promise<void> {
  const { status: answered, json } = await stage.midroll.api('POST', `/channels/${channel}/breaks`, body);
  expect([answered, json.message]).toEqual([status, undefined]);
}

/** Consecutive segments from an instant on: the kind, and the seconds it lasted. */
function runsAfter({ listed }: Viewer, from: number): { kind: string; seconds: number; from: number }[] {
  const runs: { kind: string; seconds: number; from: number }[] = [];
  const all = [...listed.get('v0')!.values()].filter(({ date }) => date >= from);
  for (const { uri, date, duration } of all.sort((one, other) => one.number - other.number)) {
    const kind = !isOurs(uri)
      ? 'content'
      : /^\d+-\d+-\d+\//.test(uri.replace(/^.*?(\d+-\d+-\d+\/)/, '$1'))
        ? 'ad'
        : 'slate';
    const last = runs.at(-1);
    if (last?.kind === kind) last.seconds += duration / 1e6;
    else runs.push({ kind, seconds: duration / 1e6, from: date });
  }
  return runs;
}

test('a break starts within seconds, has the ads of the viewer, and is ended early', async () => {
  const [video, spot] = await Promise.all([stage.video({ seconds: 40 }), stage.spot(10)]);
  stage.adHost.offer('/by-hand', () => [{ id: 'ten', seconds: 10, url: spot }]);
  await stage.air('hand', [item(video)], { adSource: adSource(stage.adHost, '/by-hand') });
  const viewer = await stage.watch('hand');
  const other = await stage.watch('hand', { opens: 'dash' });

  // The creative is conditioned for the first break.
  for (const id of ['first', 'second']) {
    const now = stage.clock.now();
    await order('hand', { id, duration: 30 }, 201);
    await viewer.until(`${id} is listed`, () => runsAfter(viewer, now).some(({ kind }) => kind !== 'content'));
    const start = runsAfter(viewer, now).find(({ kind }) => kind !== 'content')!.from;
    await viewer.until(`${id} has lasted 15 s`, () => stage.clock.now() > start + 15_000);
    const ended = stage.clock.now();
    await order('hand', { action: 'end', id }, 200);
    await viewer.until(`${id} is over`, () => runsAfter(viewer, ended).some(({ kind }) => kind === 'content'));
    const back = runsAfter(viewer, ended).find(({ kind }) => kind === 'content')!.from;
    const runs = runsAfter(viewer, now).slice(1);
    const [content] = runs.slice(-1);
    const shown = runs.slice(0, -1).reduce((sum, { seconds }) => sum + seconds, 0);
    expect(content!.from - start, 'the ads and the slate fill the break to the frame').toBe(shown * 1000);
    expect([start - now < 6500, back - ended < 7500]).toEqual([true, true]);
    const { json } = await stage.midroll.api('GET', '/channels/hand/breaks');
    const [listed] = json.items;
    expect([Date.parse(listed.startsAt), Date.parse(listed.endsAt)], 'on the schedule').toEqual([start, back]);
    expect([listed.sourceId, listed.state, listed.viewers.decided]).toEqual([id, 'ended', 2]);
    if (id === 'second') expect(listed.viewers.withAds).toBe(2);
    await viewer.until('20 s later', () => stage.clock.now() > back + 20_000);
  }
  expect((await stage.breaks(viewer)).flatMap(titlesOf)).toContain('Ad ten');
  await Promise.all([viewer.leave(), other.leave()]);
  expect([...viewer.faults, ...other.faults]).toEqual([]);
});

test('a blackout shows slate until it is ended, and the content continues', async () => {
  const video = await stage.video({ seconds: 40 });
  await stage.air('dark', [item(video, { spliceTime: 8, maxDuration: 6 })]);
  const viewer = await stage.watch('dark');
  const now = stage.clock.now();
  await order('dark', { id: 'dark', kind: 'blackout' }, 201);
  await viewer.until('two minutes of slate', () =>
    runsAfter(viewer, now).some(({ seconds, kind }) => kind === 'slate' && seconds > 120),
  );
  await order('dark', { action: 'end' }, 200);
  const ended = stage.clock.now();
  await viewer.until('content', () => runsAfter(viewer, ended).some(({ kind }) => kind === 'content'));
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
});

test('a blackout goes on with its asset once that is ready, and states why an asset cannot be prepared', async () => {
  const video = await stage.video({ seconds: 40 });
  await stage.air('card', [item(video)]);
  const viewer = await stage.watch('card');
  const [file, release] = stage.adHost.hold('/card.mp4', await stage.spot(4));
  const body = { kind: 'blackout', id: 'card', asset: file };
  const ordered = () => stage.midroll.api('POST', '/channels/card/breaks', body);
  const now = stage.clock.now();
  expect((await ordered()).json).toMatchObject({ asset: file, assetState: 'preparing' });
  const shown = () => [...viewer.listed.get('v0')!.values()].filter(({ uri, date }) => date >= now && isOurs(uri));
  await viewer.until('slate', () => shown().length > 5);
  const media = () => [...new Set(shown().map(({ uri }) => sharedMedia(uri).split('/')[0]))];
  expect(media()).toHaveLength(1);
  release();
  await viewer.until('the asset is ready', async () => (await ordered()).json.assetState === 'ready');
  const readyAt = stage.clock.now();
  await viewer.until('the asset is shown for 70 s', () => stage.clock.now() > readyAt + 70_000);
  expect(media(), 'slate, then the asset').toHaveLength(2);
  const [slate] = media();
  const changed = shown().find(({ uri }) => sharedMedia(uri).split('/')[0] !== slate)!;
  expect(changed.date - readyAt).toBeLessThanOrEqual(8000);
  const last = shown().at(-1)!;
  expect(sharedMedia(last.uri).split('/')[0]).toBe(media()[1]);
  await order('card', { action: 'end' }, 200);
  const ended = stage.clock.now();
  await viewer.until('content', () => runsAfter(viewer, ended).some(({ kind }) => kind === 'content'));
  await viewer.leave();
  expect(viewer.faults).toEqual([]);

  const missing = { kind: 'blackout', id: 'missing', asset: `${stage.origin.url}/nowhere.mp4` };
  const failed = async () => (await stage.midroll.api('POST', '/channels/card/breaks', missing)).json;
  while ((await failed()).assetState === 'preparing') await stage.clock.sleep(500);
  expect(await failed()).toMatchObject({ assetState: 'failed', assetReason: expect.stringMatching(/./) });
});

test('a break starts at its time, and one that was cancelled before does not', async () => {
  const video = await stage.video({ seconds: 40 });
  await stage.air('ahead', [item(video)]);
  const viewer = await stage.watch('ahead');
  const now = stage.clock.now();
  const after = (seconds: number) => new Date(now + seconds * 1000).toISOString();
  await order('ahead', { id: 'kept', duration: 10, startsAt: after(30) }, 201);
  await order('ahead', { id: 'gone', duration: 10, startsAt: after(60) }, 201);
  await order('ahead', { id: 'far', duration: 10, startsAt: after(150) }, 201);
  await viewer.until('both are on the schedule', () => stage.clock.now() > now + 20_000);
  await order('ahead', { action: 'cancel', id: 'gone' }, 200);
  await order('ahead', { action: 'cancel', id: 'gone' }, 200);
  await viewer.until('the last one is over', () => stage.clock.now() > now + 180_000);
  const breaks = runsAfter(viewer, now).filter(({ kind }) => kind !== 'content');
  expect(breaks.map(({ seconds }) => Math.round(seconds))).toEqual([10, 10]);
  for (const [index, wanted] of [30_000, 150_000].entries()) {
    const late = breaks[index]!.from - now - wanted;
    expect([late >= 0, late <= 6500], `${late} ms after its time`).toEqual([true, true]);
  }
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
});
