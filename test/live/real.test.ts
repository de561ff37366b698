// What only real time can try: processes that are killed, a cloud that goes away, and ffmpeg as a player; all at once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloudServesAds } from './scenarios/cloud.ts';
import { ffmpegPlaysWhereverItJoins } from './scenarios/ffmpegPlays.ts';
import { killedTwice } from './scenarios/killed.ts';
import { servesBesideIdleConnections } from './scenarios/manyIdle.ts';
import { goesOnAfterOffAndKill } from './scenarios/offThroughKill.ts';
import { servesWithoutItsStore } from './scenarios/storeAway.ts';
import { openRealStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openRealStage();
});
afterAll(() => stage?.close());

test.concurrent('a server that is killed twice', killedTwice);
test.concurrent('a channel that is off while the server is killed', goesOnAfterOffAndKill);
test.concurrent('two nodes whose database stops responding', servesWithoutItsStore);
test.concurrent('a channel whose creatives lie in a container', () => cloudServesAds(stage));
test.concurrent('two viewers of short items in ffmpeg', () => ffmpegPlaysWhereverItJoins(stage));
test.concurrent('viewers beside thousands of idle connections', () => servesBesideIdleConnections(stage));

test('the log tells of no bug', () => {
  expect(stage.midroll.bugs()).toEqual([]);
});
