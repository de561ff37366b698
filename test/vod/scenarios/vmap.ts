// SPDX-License-Identifier: Apache-2.0
// Breaks that the ad server names (VMAP): usable offsets are placed, others are dropped, and the film plays in any case.
import { expect } from 'vitest';
import { writeVast } from '../../live/adHost.ts';
import { item, type Stage } from '../../live/stage.ts';
import { airVod, openVod, readVod, seenPeriods, traceOf } from '../watchVod.ts';

const CONTENT = 8;
const AD = 2;
const LONGER = 3;
const PRE = 4;

/** One AdBreak (IAB VMAP 1.0.1) with ads in it, or with what is given. */
const writeBreak = (offset: string, content: string): string =>
  `<vmap:AdBreak timeOffset="${offset}" breakType="linear"><vmap:AdSource><vmap:VASTAdData>${content}</vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>`;
const writeVmap = (...breaks: readonly string[]): string =>
  `<?xml version="1.0"?><vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">${breaks.join('')}</vmap:VMAP>`;

export async function vmapBreaksArePlaced(stage: Stage): Promise<void> {
  const [video, first, short, long] = await Promise.all([
    stage.video({ seconds: CONTENT }),
    ...[PRE, AD, LONGER].map(stage.spot),
  ]);
  const vast = (id: string, seconds: number, url: string) =>
    writeVast([{ id, seconds, url }]).replace(/<\?xml.*?\?>/, '');
  stage.adHost.on('/vmap', (response) => {
    const body = writeVmap(
      writeBreak('start', vast('pre', PRE, first!)),
      writeBreak('50%', vast('half', AD, short!)),
      // At the same place: one break of two ads.
      writeBreak('00:00:04.000', vast('other', LONGER, long!)),
      writeBreak('end', '<NotVast/>'),
      writeBreak('01:00:00', vast('late', AD, short!)),
    );
    response.writeHead(200, { 'content-type': 'application/xml' }).end(body);
  });
  await airVod(stage, 'vmap', [item(video)], { adSource: { url: `${stage.adHost.url}/vmap` } });
  const view = await openVod(stage, 'vmap');
  expect(view).toMatchObject({ contentDurationSeconds: CONTENT, durationSeconds: CONTENT + PRE + AD + LONGER });
  expect(
    view.breaks.map(({ contentTime, duration, ads }) => [contentTime, duration, ads.map(({ title }) => title)]),
  ).toEqual([
    [0, PRE, ['Ad pre']],
    [4, AD + LONGER, ['Ad half', 'Ad other']],
  ]);
  const manifests = await readVod(stage.midroll, 'vmap', view.sessionId);
  expect(seenPeriods(manifests).map(({ start }) => start / 1000)).toEqual([0, 4, 8, 10, 13]);
  // The first record is that of the response itself.
  const codes = (await traceOf(stage, view)).map(({ status, reason }) => [status, reason?.code]);
  expect(codes.filter(([status]) => status === 'filled')).toHaveLength(2);
  expect(codes).toContainEqual(['empty', 'PAST_THE_END']);
  expect(codes).toContainEqual(['empty', 'NO_ADS']);
  expect(stage.adHost.seen.filter(({ path }) => path.startsWith('/vmap'))).toHaveLength(1);
}

/** @param path of the ad host */
export async function filmPlaysDespiteVmap(stage: Stage, path: string, code: string): Promise<void> {
  const channel = `vmap${path.replaceAll(/\W+/g, '-')}`;
  await airVod(stage, channel, [item(await stage.video({ seconds: CONTENT }))], {
    ...{ adSource: { url: stage.adHost.url + path }, breakSource: 'vmap', vodBudgetMs: 1500 },
  });
  const view = await openVod(stage, channel);
  expect(view).toMatchObject({ contentDurationSeconds: CONTENT, durationSeconds: CONTENT, breaks: [] });
  expect(seenPeriods(await readVod(stage.midroll, channel, view.sessionId))).toHaveLength(1);
  const traced = await traceOf(stage, view);
  expect(traced.map(({ status, reason }) => [status, reason?.code])).toEqual([['empty', code]]);
}
