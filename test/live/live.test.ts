// The whole: one Midroll, an origin, an ad server, many channels, and viewers who watch them all at the same time, in
// virtual minutes.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { adFailures, playWithAdFailure } from './scenarios/adFailures.ts';
import {
  assetIsMissing,
  itemDoesNotFit,
  originFailsAndRecovers,
  segmentIsMissing,
  slateIsBroken,
} from './scenarios/contentFailures.ts';
import { manyViewersJoinAtABreak } from './scenarios/crowd.ts';
import { channelIsEdited, playlistIsEdited } from './scenarios/edits.ts';
import { headersAreSent, invalidRequestsAreRejected } from './scenarios/liveResponses.ts';
import { mixedAssetsPlay, transportStreamsPlay } from './scenarios/mixedAssets.ts';
import { reportsMatchTheTrace } from './scenarios/reports.ts';
import { sessionsExpire, viewersJoinLate, viewersMoveBack, viewersPause } from './scenarios/sessions.ts';
import { subtitlesAreShown, subtitlesOfTransportStreams } from './scenarios/subtitles.ts';
import { adsUseTheContentLayout } from './scenarios/transportLayout.ts';
import { twoViewersOfShortItems, twoViewersOfTheDemo } from './scenarios/twoViewers.ts';
import { openVirtualStage, type Stage } from './stage.ts';

vi.setConfig({ maxConcurrency: 50, testTimeout: 600_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await openVirtualStage({ SESSION_TTL: '60' });
});
afterAll(() => stage?.close());

test.concurrent('two viewers of short items', () => twoViewersOfShortItems(stage));
test.concurrent('two viewers of the demo', () => twoViewersOfTheDemo(stage));
test.concurrent('a playlist that is edited', () => playlistIsEdited(stage));
test.concurrent('a channel that is edited', () => channelIsEdited(stage));
test.concurrent('an origin that goes and comes back', () => originFailsAndRecovers(stage));
test.concurrent('an asset that is missing', () => assetIsMissing(stage));
test.concurrent('a segment that is missing', () => segmentIsMissing(stage));
test.concurrent('an item that does not fit', () => itemDoesNotFit(stage));
test.concurrent('a slate that is broken', () => slateIsBroken(stage));
test.concurrent('assets of all kinds', () => mixedAssetsPlay(stage));
test.concurrent('MPEG-TS', () => transportStreamsPlay(stage));
test.concurrent('MPEG-TS with a layout of its own', () => adsUseTheContentLayout(stage));
test.concurrent('subtitles', () => subtitlesAreShown(stage));
test.concurrent('subtitles of MPEG-TS', () => subtitlesOfTransportStreams(stage));
test.concurrent('requests that are refused', () => invalidRequestsAreRejected(stage));
test.concurrent('headers, HEAD and CORS', () => headersAreSent(stage));
test.concurrent('viewers who move back in time', () => viewersMoveBack(stage));
test.concurrent('viewers who join late', () => viewersJoinLate(stage));
test.concurrent('a crowd at the start of a break', () => manyViewersJoinAtABreak(stage));
test.concurrent('viewers who pause', () => viewersPause(stage));
test.concurrent('a viewer who is counted', () => reportsMatchTheTrace(stage));
test.concurrent('sessions that expire', () => sessionsExpire(stage));
test.concurrent.each(adFailures)('$name', (trouble) => playWithAdFailure(stage, trouble));

test('the log tells of no bug', () => {
  expect(stage.midroll.bugs()).toEqual([]);
});
