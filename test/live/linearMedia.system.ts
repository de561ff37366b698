// SPDX-License-Identifier: Apache-2.0
// Linear channels of many kinds of media, decoded by ffmpeg, and with many viewers, on a virtual clock.
import { test } from 'vitest';
import { fileStage } from './fileStage.ts';
import { manyViewersJoinAtABreak } from './scenarios/crowd.ts';
import { mixedAssetsPlay, slowContentPlays, transportStreamsPlay } from './scenarios/mixedAssets.ts';
import { adsUseTheContentLayout } from './scenarios/transportLayout.ts';
import { twoViewersOfTheDemo } from './scenarios/twoViewers.ts';

const stage = await fileStage();

test.concurrent('two viewers of the demo get the same content and different ads', () => twoViewersOfTheDemo(stage));
test.concurrent('assets of different frame rates, sample rates and segment lengths decode', () =>
  mixedAssetsPlay(stage));
test.concurrent.each([
  ['5', 5],
  ['10', 10],
  ['12', 12],
  ['25/2', 12.5],
  ['15000/1001', 15_000 / 1001],
] as const)('breaks of content at %s frames per second have ads and slate', (rate, number) =>
  slowContentPlays(stage, rate, number),
);
test.concurrent('MPEG-TS decodes', () => transportStreamsPlay(stage));
test.concurrent('ads use the MPEG-TS layout of the content', () => adsUseTheContentLayout(stage));
test.concurrent('every viewer who joins at the start of a break gets ads', () => manyViewersJoinAtABreak(stage));
