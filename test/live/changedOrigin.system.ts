// SPDX-License-Identifier: Apache-2.0
// Live origins that change while their channel is on air: viewers are shown each segment once, and the channel states what is
// wrong. Its stream continues when the origin is as it was.
import { expect, test } from 'vitest';
import { naming } from '../naming.ts';
import { fileStage } from './fileStage.ts';
import { airLive, segmentsOf, startOrigin } from './liveStage.ts';
import { openSession } from './openSession.ts';
import type { OriginFault, OriginRequest } from './origin/originFault.ts';
import type { Viewer } from './viewer.ts';

const stage = await fileStage();

const rewrite =
  (kind: OriginRequest['kind'], change: (text: string, request: OriginRequest) => string) =>
  (request: OriginRequest): OriginFault | undefined =>
    request.kind === kind ? { does: 'rewrite', rewrite: (text) => change(text, request) } : undefined;

const later = (date: string, seconds: number): string => new Date(Date.parse(date) + seconds * 1000).toISOString();

function expectNothingTwice(viewer: Viewer): void {
  expect(viewer.faults).toEqual([]);
  for (const rung of viewer.rungs) {
    const uris = segmentsOf(viewer, rung).map(({ uri }) => uri);
    expect(uris.length).toBeGreaterThan(25);
    expect(new Set(uris).size).toBe(uris.length);
  }
}

test.concurrent.each([
  [
    'another availabilityStartTime',
    (text: string) => text.replace(/(?<=availabilityStartTime=")[^"]+/, (at) => later(at, 3600)),
  ],
  ['other ids of Periods', (text: string, { earlier }: OriginRequest) => text.replace(/<Period id="/, `$&${earlier}`)],
  [
    'another timescale',
    (text: string) =>
      text.replace(/ (timescale|presentationTimeOffset|t|d)="(\d+)"/g, (_, name, value) => ` ${name}="${2 * value}"`),
  ],
])('an MPD with %s for a while lists the same segments', async (name, change) => {
  const id = name.replace(/\W/g, '');
  const origin = await startOrigin(stage, { window: 8, addressing: 'number' });
  await airLive(stage, id, { sourceManifestUrl: origin.dashUrl });
  const viewer = await stage.watch(id, { opens: 'dash', hls: false });
  await stage.clock.sleep(10_000);
  const restore = origin.fail(rewrite('mpd', change));
  await stage.clock.sleep(20_000);
  restore();
  await stage.clock.sleep(20_000);
  await viewer.leave();
  expectNothingTwice(viewer);
});

test.concurrent('HLS dates that jump while numbers continue repeat nothing', async () => {
  const origin = await startOrigin(stage, { window: 8 });
  await airLive(stage, 'dates', { sourceManifestUrl: origin.hlsUrl });
  const viewer = await stage.watch('dates', { dash: false });
  for (const seconds of [3600, -3600, 30, -30]) {
    await stage.clock.sleep(6000);
    const change = (text: string) => text.replace(/(?<=DATE-TIME:)\S+/g, (at) => later(at, seconds));
    const restore = origin.fail(rewrite('media', change));
    await stage.clock.sleep(6000);
    restore();
  }
  await viewer.leave();
  expectNothingTwice(viewer);
});

test.concurrent('a longer target duration is a warning while the channel is on air', async () => {
  const origin = await startOrigin(stage, { window: 8 });
  await airLive(stage, 'longer', { sourceManifestUrl: origin.hlsUrl });
  const viewer = await stage.watch('longer', { dash: false });
  await stage.clock.sleep(4000);
  const restore = origin.fail(rewrite('media', (text) => text.replace(/TARGETDURATION:\d+/, 'TARGETDURATION:9')));
  await stage.clock.sleep(6000);
  const health = async () => (await stage.midroll.api('GET', '/channels/longer')).json.live.hls.health;
  expect(await health()).toMatchObject({ state: 'ok', warnings: [naming(9, 3, 'open sessions keep it')] });
  restore();
  await stage.clock.sleep(6000);
  expect((await health()).warnings).toBeUndefined();
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
});

/** Requests a media playlist or the MPD every two seconds, like a viewer. */
async function viewFor(url: string, seconds: number): Promise<string> {
  let text = '';
  for (let passed = 0; passed < seconds; passed += 2) {
    const response = await fetch(url);
    text = await response.text();
    expect([response.status, text]).toEqual([200, text]);
    await stage.clock.sleep(2000);
  }
  return text;
}

test.concurrent('a stream that has ended is stated as such, logged once, and continues', async () => {
  const origin = await startOrigin(stage, { window: 8 });
  await airLive(stage, 'ended', { sourceManifestUrl: origin.hlsUrl });
  const health = async () => (await stage.midroll.api('GET', '/channels/ended')).json.live.hls.health;
  const opening = { clock: stage.clock, liveUrl: stage.midroll.liveUrl, channel: 'ended', apiKey: 'key' };
  const multivariant = await openSession(opening);
  const [path] = multivariant.split('\n').filter((line) => line.endsWith('.m3u8'));
  const url = new URL(path!, `${stage.midroll.liveUrl}/hls/ended/`).href;
  const before = await viewFor(url, 10);
  expect(await health()).toMatchObject({ state: 'ok' });
  const kept = new Map<string, string>();
  const restore = origin.fail(
    rewrite('media', (text, { path: file }) => {
      if (!kept.has(file)) kept.set(file, `${text}#EXT-X-ENDLIST\n`);
      return kept.get(file)!;
    }),
  );
  const still = await viewFor(url, 60);
  expect(await health()).toMatchObject({ state: 'ended', reason: naming('EXT-X-ENDLIST') });
  expect(still).not.toContain('#EXT-X-ENDLIST');
  const logged = () => stage.midroll.logged('a live origin has ended').filter(({ channelId }) => channelId === 'ended');
  expect(logged()).toHaveLength(1);
  restore();
  const after = await viewFor(url, 30);
  expect(await health()).toMatchObject({ state: 'ok' });
  const lastOf = (text: string) => text.trim().split('\n').at(-1);
  expect(new Set([before, still, after].map(lastOf)).size).toBe(3);
  expect(stage.midroll.logged('failed to read a live origin').filter(({ channelId }) => channelId === 'ended')).toEqual(
    [],
  );
});

test.concurrent('a rendition of an MPD that disappears is named, and the stream continues with it', async () => {
  const origin = await startOrigin(stage, { window: 8 });
  await airLive(stage, 'silent', { sourceManifestUrl: origin.dashUrl });
  const health = async () => (await stage.midroll.api('GET', '/channels/silent')).json.live.dash.health;
  const viewer = await stage.watch('silent', { opens: 'dash', hls: false });
  await stage.clock.sleep(10_000);
  const removed = (text: string) => text.replace(/<AdaptationSet id="1"[\s\S]*?<\/AdaptationSet>/g, '');
  const restore = origin.fail(rewrite('mpd', removed));
  await stage.clock.sleep(13_000);
  expect(await health()).toMatchObject({ state: 'stalled', warnings: [naming('audio')] });
  restore();
  await stage.clock.sleep(30_000);
  expect(await health()).toMatchObject({ state: 'ok' });
  await viewer.leave();
  expectNothingTwice(viewer);
});
