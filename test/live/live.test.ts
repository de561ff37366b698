// SPDX-License-Identifier: Apache-2.0
// One Midroll, an origin and an ad server, with many channels and viewers at the same time, on a virtual clock.
import { test } from 'vitest';
import { fileStage } from './fileStage.ts';
import {
  assetIsMissing,
  itemDoesNotFit,
  originFailsAndRecovers,
  segmentIsMissing,
  slateIsBroken,
} from './scenarios/contentFailures.ts';
import { routesRespondAsDocumented } from './scenarios/documentedRoutes.ts';
import { channelIsEdited, playlistIsEdited } from './scenarios/edits.ts';
import { headersAreSent, invalidRequestsAreRejected } from './scenarios/liveResponses.ts';
import { feedsArePlayed } from './scenarios/mrssFeeds.ts';
import { reportsMatchTheTrace } from './scenarios/reports.ts';
import { sessionsExpire, viewersJoinLate, viewersMoveBack, viewersPause } from './scenarios/sessions.ts';
import { sourceReportsMatchTheTrace } from './scenarios/sourceReports.ts';
import { subtitlesAreShown, subtitlesOfTransportStreams } from './scenarios/subtitles.ts';
import { twoViewersOfShortItems } from './scenarios/twoViewers.ts';
import { openVirtualStage } from './stage.ts';

const stage = await fileStage(() => openVirtualStage({ SESSION_TTL: '60' }));

test.concurrent('two viewers of short items get the same content and different ads', () =>
  twoViewersOfShortItems(stage));
test.concurrent('edits of a playlist reach viewers', () => playlistIsEdited(stage));
test.concurrent('edits of a channel reach viewers', () => channelIsEdited(stage));
test.concurrent('content of a failing origin is left out until the origin recovers', () =>
  originFailsAndRecovers(stage));
test.concurrent('a missing asset is retried and then played', () => assetIsMissing(stage));
test.concurrent('a missing segment does not stop the stream', () => segmentIsMissing(stage));
test.concurrent('items of another container or segment length are left out', () => itemDoesNotFit(stage));
test.concurrent('a broken slate is replaced with the built-in slate', () => slateIsBroken(stage));
test.concurrent('subtitles match the video', () => subtitlesAreShown(stage));
test.concurrent('subtitles of MPEG-TS match the video', () => subtitlesOfTransportStreams(stage));
test.concurrent('invalid requests are rejected', () => invalidRequestsAreRejected(stage));
test.concurrent('each route of the live port responds as documented', () => routesRespondAsDocumented(stage));
test.concurrent('responses have headers for caching and CORS, and support HEAD', () => headersAreSent(stage));
test.concurrent('players open sessions for MRSS feeds', () => feedsArePlayed(stage));
test.concurrent('viewers start in the past', () => viewersMoveBack(stage));
test.concurrent('a late joiner gets ads in the rest of the break', () => viewersJoinLate(stage));
test.concurrent('viewers resume after a pause', () => viewersPause(stage));
test.concurrent('reports match the trace of a session', () => reportsMatchTheTrace(stage));
test.concurrent('reports by ad source match the trace of a session', () => sourceReportsMatchTheTrace(stage));
test.concurrent('silent sessions expire', () => sessionsExpire(stage));
