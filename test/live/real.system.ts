// SPDX-License-Identifier: Apache-2.0
// Tests that need real time: killed processes, a cloud outage, and ffmpeg as a player. They run at the same time.
import { test } from 'vitest';
import { fileStage } from './fileStage.ts';
import { cloudServesAds } from './scenarios/cloud.ts';
import { ffmpegPlaysFromAnyPoint } from './scenarios/ffmpegPlays.ts';
import { servesDespiteIdleConnections } from './scenarios/idleConnections.ts';
import { resumesAfterKillWhileDisabled } from './scenarios/killWhileDisabled.ts';
import { survivesTwoKills } from './scenarios/processKills.ts';
import { servesDuringStoreOutage } from './scenarios/storeOutage.ts';
import { openRealStage } from './stage.ts';

const stage = await fileStage(openRealStage);

test.concurrent('viewers continue after two kills of the server', survivesTwoKills);
test.concurrent('viewers continue after a kill while the channel is disabled', resumesAfterKillWhileDisabled);
test.concurrent('two nodes serve while the database does not respond', servesDuringStoreOutage);
test.concurrent('ad segments are served from a container, or locally during an outage', () => cloudServesAds(stage));
test.concurrent('ffmpeg plays from any point of the loop', () => ffmpegPlaysFromAnyPoint(stage));
test.concurrent('viewers are served despite thousands of idle connections', () => servesDespiteIdleConnections(stage));
