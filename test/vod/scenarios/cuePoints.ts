// SPDX-License-Identifier: Apache-2.0
// Cue points as editors set them: past the end, two at one time, in percent, and at the end.
import { expect } from 'vitest';
import { adSource, type Stage } from '../../live/stage.ts';
import { naming } from '../../naming.ts';
import { airVod, openVod, readVod, seenPeriods, seenPlaylist, traceOf } from '../watchVod.ts';

const AD = 2;

export async function cuePointsArePlaced(stage: Stage): Promise<void> {
  const [url, spot] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(AD)]);
  stage.adHost.offer('/cues', () => [{ id: 'two', seconds: AD, url: spot }]);
  const contents = [
    {
      ...{ sourceType: 'url', url },
      // Two at one time are one break; 4.6 s moves to the cut point at 4 s; 60 s is past the end.
      cuePoints: [{ spliceTime: 4, maxDuration: 3 }, { spliceTime: 4.6, maxDuration: 3 }, { spliceTime: 60 }],
    },
    {
      ...{ sourceType: 'url', url, spliceType: 'percent' },
      cuePoints: [{ spliceTime: 50 }, { spliceTime: -1 }],
    },
  ];
  await airVod(stage, 'cues', contents, { adSource: adSource(stage.adHost, '/cues'), breakDuration: 5 });
  const view = await openVod(stage, 'cues');
  expect(view.breaks.map(({ contentTime, streamTime }) => [contentTime, streamTime])).toEqual([
    [4, 4],
    [12, 12 + AD],
    [16, 16 + 2 * AD],
  ]);
  expect(view).toMatchObject({ durationSeconds: 16 + 3 * AD, contentDurationSeconds: 16 });

  const manifests = await readVod(stage.midroll, 'cues', view.sessionId);
  const spans = seenPeriods(manifests).map(({ start }) => start / 1000);
  expect(spans).toEqual([0, 4, 4 + AD, 8 + AD, 12 + AD, 12 + 2 * AD, 16 + 2 * AD]);
  expect(new Set(seenPlaylist(manifests).segments.map(({ discontinuity }) => discontinuity)).size).toBe(spans.length);

  const traced = await traceOf(stage, view);
  expect(traced).toHaveLength(4);
  const [merged] = traced;
  expect(merged!.warnings).toContainEqual(naming('2', '6 s'));
  expect(traced.find(({ id }) => id === '0-3')).toMatchObject({ position: { kind: 'post' }, status: 'filled' });
  expect(traced.find(({ id }) => id === '0-4')).toMatchObject({
    status: 'empty',
    reason: { code: 'PAST_THE_END', text: naming('60.0', '8.0') },
  });

  const { items } = (await stage.midroll.api('GET', '/channels/cues')).json;
  expect(items[0].cuePoints[2]).toEqual({ spliceTime: 60, reason: naming('60.0', '8.0') });
}
