// SPDX-License-Identifier: Apache-2.0
// VoD channels from end to end: one Midroll, an origin and an ad server, with many channels, on a virtual clock.
import { test, vi } from 'vitest';
import { fileStage } from '../live/fileStage.ts';
import { adTroubles, filmPlaysDespite, filmPlaysDespiteSlowAds, oneBreakFails } from './scenarios/adTrouble.ts';
import { badContentIsExplained, contentIsRequested, slowImportContinues } from './scenarios/content.ts';
import { cuePointsArePlaced } from './scenarios/cuePoints.ts';
import { sessionsAreFrozen } from './scenarios/edits.ts';
import { mixedItemsAreGapless, transportStreamsAreGapless } from './scenarios/media.ts';
import { vodHeadersAreSent, vodRequestsAreRejected } from './scenarios/responses.ts';
import { tracksContinue } from './scenarios/tracks.ts';
import { filmPlaysDespiteVmap, vmapBreaksArePlaced } from './scenarios/vmap.ts';

vi.setConfig({ maxConcurrency: 50 });

const stage = await fileStage();

test.concurrent.each(adTroubles)('a film plays despite $name', (trouble) => filmPlaysDespite(stage, trouble));
test.concurrent('a film plays despite a slow ad server', () => filmPlaysDespiteSlowAds(stage));
test.concurrent('a break that fails leaves the others', () => oneBreakFails(stage));
test.concurrent('cue points are placed, merged or dropped', () => cuePointsArePlaced(stage));
test.concurrent('breaks that the ad server names are placed or dropped', () => vmapBreaksArePlaced(stage));
test.concurrent.each([
  ['/html', 'VAST_UNREADABLE'],
  ['/status?code=404', 'AD_SERVER_FAILED'],
  ['/never', 'AD_SERVER_TIMEOUT'],
])('a film plays when its VMAP is the response of %s', (path, code) => filmPlaysDespiteVmap(stage, path, code));
test.concurrent('content is requested from allowed hosts', () => contentIsRequested(stage));
test.concurrent('content that cannot be played is explained', () => badContentIsExplained(stage));
test.concurrent('a slow import continues', () => slowImportContinues(stage));
test.concurrent('items of different shapes are gapless', () => mixedItemsAreGapless(stage));
test.concurrent('MPEG-TS is gapless', () => transportStreamsAreGapless(stage));
test.concurrent('subtitles, languages and captions continue across breaks', () => tracksContinue(stage));
test.concurrent('invalid requests are rejected', () => vodRequestsAreRejected(stage));
test.concurrent('responses have headers for caching and CORS, and support HEAD', () => vodHeadersAreSent(stage));
test.concurrent('sessions are frozen', () => sessionsAreFrozen(stage));
