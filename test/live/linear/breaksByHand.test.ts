// SPDX-License-Identifier: Apache-2.0
// Breaks and blackouts that an operator inserts into a vod2live channel, with real media on a virtual clock.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isOurs } from '../../laws/readBack.ts';
import { adSource, item, openVirtualStage, type Stage, titlesOf } from '../stage.ts';
import type { Viewer } from '../viewer.ts';

vi.setConfig({ testTimeout: 600_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await openVirtualStage();
});
afterAll(() => stage?.close());

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
