// What only real time can try: processes that are killed, a cloud that goes away, and ffmpeg as a player; all at once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloudServesAds } from './scenarios/cloud.ts';
import { ffmpegPlaysFromAnyPoint } from './scenarios/ffmpegPlays.ts';
import { servesDespiteIdleConnections } from './scenarios/idleConnections.ts';
import { resumesAfterKillWhileDisabled } from './scenarios/killWhileDisabled.ts';
import { survivesTwoKills } from './scenarios/processKills.ts';
import { servesDuringStoreOutage } from './scenarios/storeOutage.ts';
import { openRealStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openRealStage();
});
afterAll(() => stage?.close());

test.concurrent('a server that is killed twice', survivesTwoKills);
test.concurrent('a channel that is off while the server is killed', resumesAfterKillWhileDisabled);
test.concurrent('two nodes whose database stops responding', servesDuringStoreOutage);
test.concurrent('a channel whose creatives lie in a container', () => cloudServesAds(stage));
test.concurrent('two viewers of short items in ffmpeg', () => ffmpegPlaysFromAnyPoint(stage));
test.concurrent('viewers beside thousands of idle connections', () => servesDespiteIdleConnections(stage));

test('the log tells of no bug', () => {
  expect(stage.midroll.bugs()).toEqual([]);
});
