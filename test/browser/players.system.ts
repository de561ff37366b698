// SPDX-License-Identifier: Apache-2.0
// The player harness: it plays a video to its end, detects stalls, and reports errors.
import { expect, test } from 'vitest';
import { startServer } from '../../demo/listen.ts';
import { mediaFolder, startOrigin } from '../../demo/origin.ts';
import { readTarget, replyText, sendFile } from '../../demo/serveFolder.ts';
import { deferred } from '../deferred.ts';
import { opened } from '../opened.ts';
import { expectNoFaults, expectSmoothPlayback, stallsOf } from './expectSmoothPlayback.ts';
import { openPlayers, type PlayReport } from './players.ts';

const origin = await opened(startOrigin(0));
const players = await opened(openPlayers());

test.concurrent.each([
  ['hls.js', 'tide/master.m3u8'],
  ['shaka', 'orbits/master.m3u8'],
  ['shaka', 'hills/manifest.mpd'],
  ['dash.js', 'tide/manifest.mpd'],
  ['rx-player', 'tide/manifest.mpd'],
] as const)('%s plays %s without a stall', async (player, path) => {
  const begun = Date.now();
  const report = await players.playUntil(
    player,
    `${origin.url}/${path}`,
    'seen.from !== null && seen.to - seen.from > 4.5',
  );
  expectSmoothPlayback(report);
  expect(report.latency).toEqual([]);
  expect(report.startup! + report.watched).toBeLessThan((Date.now() - begun) / 1000);
  expect(report.frames).toBeGreaterThan((report.to - report.from!) * 20);
  expect(report.buffered).toHaveLength(1);
});

test.concurrent('a late segment is a stall, a missing response is a stall without end', async () => {
  const late = deferred();
  const server = await startServer(async (request, response) => {
    const { path } = readTarget(request);
    if (path === '/tide/v0/2.m4s') await late.promise;
    if (path === '/tide/v0/3.m4s') return;
    await sendFile(request, response, mediaFolder, path);
  });
  // A busy machine may cause short ones.
  const longStalls = ({ stalls }: Pick<PlayReport, 'stalls'>) => stalls.filter(({ length }) => length > 1.5);
  const report = await players.playUntil('hls.js', `${server.url}/tide/v0.m3u8`, (seen) => {
    if (longStalls(seen).length > 0) late.resolve();
    return longStalls(seen).length === 2;
  });
  expect(longStalls(report)).toHaveLength(2);
  await server.close();
  expect(report.to).toBeGreaterThan(3);
  expect(report.to).toBeLessThan(4.5);
  const stalls = report.stalls.filter((stall) => !longStalls(report).includes(stall));
  expectNoFaults(stallsOf({ stalls }), report.busy);
});

test.concurrent.each([
  ['hls.js', 'gone/master.m3u8'],
  ['shaka', 'gone/master.m3u8'],
  ['dash.js', 'gone/manifest.mpd'],
  ['rx-player', 'gone/manifest.mpd'],
] as const)('%s reports an error for %s', async (player, path) => {
  const config = player === 'hls.js' ? { enableWorker: false } : {};
  const report = await players.playUntil(player, `${origin.url}/${path}`, 'seen.errors.length > 0', { config });
  expect(report.errors.length).toBeGreaterThan(0);
  expect(report.startup).toBeNull();
});

const videos = ['tide', 'orbits'] as const;

/** Two seconds of each video in sequence, as an HLS live playlist that ended half a minute ago. */
function joinedPlaylist(): string {
  const date = new Date(Date.now() - 40_000).toISOString();
  const head = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:2', `#EXT-X-PROGRAM-DATE-TIME:${date}`];
  const spans = videos.flatMap((video) => [
    ...['#EXT-X-DISCONTINUITY', `#EXT-X-MAP:URI="/${video}/v0/init.mp4"`],
    ...['#EXTINF:2,', `/${video}/v0/1.m4s`],
  ]);
  return [...head, ...spans, '#EXT-X-ENDLIST', ''].join('\n');
}

/** The same as Periods, without audio. */
function joinedMpd(): string {
  const periods = videos.map(
    (
      video,
      index,
    ) => `<Period id="${video}" start="PT${index * 2}S" duration="PT2S"><AdaptationSet mimeType="video/mp4">
      <SegmentTemplate timescale="25000" duration="50000" initialization="/${video}/v0/init.mp4" media="/${video}/v0/$Number$.m4s"/>
      <Representation id="v0" bandwidth="200000" codecs="avc1.64001f" width="640" height="360"/></AdaptationSet></Period>`,
  );
  return `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" profiles="urn:mpeg:dash:profile:isoff-live:2011" mediaPresentationDuration="PT4S" minBufferTime="PT2S">${periods.join('')}</MPD>`;
}

test.concurrent.each([
  ['hls.js', '/joined.m3u8'],
  ['shaka', '/joined.m3u8'],
  ['shaka', '/joined.mpd'],
  ['dash.js', '/joined.mpd'],
  ['rx-player', '/joined.mpd'],
] as const)('%s plays both spans of %s, and the harness counts both', async (player, joined) => {
  const server = await startServer((request, response) => {
    const { path } = readTarget(request);
    if (path === '/joined.m3u8') return replyText(response, 200, joinedPlaylist(), 'application/x-mpegurl');
    if (path === '/joined.mpd') return replyText(response, 200, joinedMpd(), 'application/dash+xml');
    return sendFile(request, response, mediaFolder, path);
  });
  const report = await players.playUntil(player, server.url + joined, 'seen.ended');
  await server.close();
  expectSmoothPlayback(report);
  expect(report).toMatchObject({ spans: 2, ended: true });
  if (joined.endsWith('m3u8')) expect(report.latency[0]).toBeGreaterThan(38);
});
