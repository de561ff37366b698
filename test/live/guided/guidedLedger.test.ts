// SPDX-License-Identifier: Apache-2.0
// A viewer whose player inserts the ads and one who is stitched leave the same rows for the same break: trace, beacons and reports.
import { expect, test } from 'vitest';
import { airVod, openVod, readVod } from '../../vod/watchVod.ts';
import { fileStage } from '../fileStage.ts';
import { airLive, EVENTS, offerSpots, startOrigin } from '../liveStage.ts';
import { mediaPlaylists } from '../openSession.ts';
import { adSource, item } from '../stage.ts';
import { openGuided } from './guidedPlayer.ts';

const stage = await fileStage();
const started = Math.floor(stage.clock.now() / 1000);

type Format = 'hls' | 'dash';
/** Plays one break of a channel, as the one or the other kind of viewer. @returns the session */
type Plays = (channel: string) => Promise<string>;

/** Everything but the times, and the ids that a session, its channel or its break has. */
function withoutNames(rows: unknown, names: readonly (readonly [name: string, value: string])[]): unknown {
  const times = new Set([
    'id',
    'startsAt',
    'endsAt',
    'recordedAt',
    'dueAt',
    'settledAt',
    'ms',
    'latencyP50',
    'latencyP99',
  ]);
  const text = JSON.stringify(rows, (key, value) => (times.has(key) ? undefined : value));
  return JSON.parse(names.reduce((all, [name, value]) => all.replaceAll(value, name), text));
}

async function ledgerOf(channel: string, session: string) {
  const { breaks } = await stage.api('GET', `/sessions/${session}`);
  expect(breaks).toHaveLength(1);
  const names = [
    // The id of a break is short enough to occur within other ids.
    [JSON.stringify('BREAK'), JSON.stringify(breaks[0].id)],
    ['SESSION', session],
    ['CHANNEL', channel],
  ] as const;
  const beacons = await stage.api('GET', `/beacons?session=${session}&limit=1000`);
  const system = (await stage.api('GET', '/systems')).at(-1);
  const range = `start=${started}&end=${Math.floor(stage.clock.now() / 1000) + 120}&channel=${channel}`;
  const reports = ['breaks', 'ads', 'skips', 'beacons', 'ad-requests', 'demand-funnel'].map(async (name) => {
    const { totals } = await stage.api('GET', `/systems/${system.id}/reports/${name}?${range}`);
    return [name, totals] as const;
  });
  const sorted = beacons.toSorted((one: { ad: string; event: string }, other: { ad: string; event: string }) =>
    `${one.ad} ${one.event}`.localeCompare(`${other.ad} ${other.event}`),
  );
  return withoutNames({ breaks, beacons: sorted, reports: await Promise.all(reports) }, names);
}

/** Two channels that differ in their ids only. @param air creates one. @param plays what each kind of viewer does */
async function expectSameRows(
  name: string,
  air: (channel: string) => Promise<void>,
  plays: { readonly stitched: Plays; readonly guided: Plays },
): Promise<void> {
  const [stitched, guided] = await Promise.all(
    (['stitched', 'guided'] as const).map(async (kind) => {
      const channel = `${name}-${kind}`;
      await air(channel);
      const session = await plays[kind](channel);
      const events = async () =>
        (await stage.api('GET', `/beacons?session=${session}&limit=1000`)).filter(
          ({ outcome }: { outcome: string }) => outcome === 'sent',
        ).length;
      await stage.until('all beacons are sent', async () => (await events()) >= 2 * EVENTS.length);
      // Reports are written every few seconds.
      await stage.clock.sleep(30_000);
      return ledgerOf(channel, session);
    }),
  );
  expect(guided).toEqual(stitched);
  expect(stitched).toMatchObject({
    beacons: new Array(2 * EVENTS.length).fill({ outcome: 'sent' }),
    reports: expect.arrayContaining([['ads', expect.objectContaining({ started: 2, completed: 2 })]]),
  });
}

const breakSeconds = 12;

/** Viewers of a channel on air. @param begin begins a break */
const onAir = (format: Format, begin: (channel: string) => Promise<unknown>) => ({
  async stitched(channel: string) {
    const viewer = await stage.watch(channel, {
      opens: format,
      hls: format === 'hls',
      dash: format === 'dash',
      fetches: 'ours',
    });
    await begin(channel);
    await viewer.until('the break is over', async () => {
      const [one] = await stage.breaks(viewer);
      return one !== undefined && stage.clock.now() > one.at + 1000 * (breakSeconds + 20);
    });
    await viewer.leave();
    expect(viewer.faults).toEqual([]);
    return viewer.session;
  },
  async guided(channel: string) {
    const player = await openGuided(stage, channel, format);
    await begin(channel);
    await stage.until('the break is listed', async () => (await player.breaks()).length > 0);
    const [one] = await player.breaks();
    expect(await player.play(one!.list)).toBeCloseTo(breakSeconds, 1);
    return player.session;
  },
});

test.concurrent.each(['hls', 'dash'] as const)('of a linear channel, %s', async (format) => {
  const video = await stage.video({ seconds: 40 });
  const air = async (channel: string) => {
    await stage.air(channel, [item(video)], { adSource: adSource(stage.adHost, `/${channel}`) });
    await offerSpots(stage, channel);
  };
  const begin = (channel: string) =>
    stage.api('POST', `/channels/${channel}/breaks`, { id: 'one', duration: breakSeconds });
  await expectSameRows(`linear-${format}`, air, onAir(format, begin));
});

test.concurrent.each(['hls', 'dash'] as const)('of a live channel, %s', async (format) => {
  const origins = new Map<string, Awaited<ReturnType<typeof startOrigin>>>();
  const air = async (channel: string) => {
    const origin = await startOrigin(stage, {
      hlsMarkers: 'cue',
      dashMarkers: 'xml',
      window: 8,
      breaks: { every: 1e6, seconds: 12 },
    });
    origins.set(channel, origin);
    await airLive(stage, channel, { sourceManifestUrl: format === 'hls' ? origin.hlsUrl : origin.dashUrl });
    await offerSpots(stage, channel);
  };
  const begin = async (channel: string) =>
    origins.get(channel)!.broadcast.addBreak(stage.clock.now(), { seconds: breakSeconds });
  await expectSameRows(`live-${format}`, air, onAir(format, begin));
});

test.concurrent.each(['hls', 'dash'] as const)('of a VoD channel, %s', async (format) => {
  const [video, four, six] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(4), stage.spot(6)]);
  const tracking = `${stage.adHost.url}/beacon?event=[EVENT]`;
  stage.adHost.on('/beacon', (response) => void response.writeHead(204).end());
  const air = (channel: string) => {
    stage.adHost.offer(`/${channel}`, () => [
      { id: 'four', seconds: 4, url: four, sequence: 1, tracking },
      { id: 'six', seconds: 6, url: six, sequence: 2, tracking },
    ]);
    return airVod(stage, channel, [{ ...item(video), cuePoints: [{ spliceTime: 4, maxDuration: breakSeconds }] }], {
      adSource: adSource(stage.adHost, `/${channel}`),
    });
  };
  await expectSameRows(`vod-${format}`, air, {
    async stitched(channel) {
      const { sessionId } = await openVod(stage, channel, { format });
      const { multivariant, playlists } = await readVod(stage.midroll, channel, sessionId);
      for (const path of mediaPlaylists(multivariant)) {
        const url = `${stage.midroll.liveUrl}/${format}/${channel}/${path}`;
        for (const line of playlists[/([^/]+)\.m3u8$/.exec(path)![1]!]!.split('\n'))
          if (/^0-1-\d\//.test(line)) await (await fetch(new URL(line, url))).arrayBuffer();
      }
      return sessionId;
    },
    async guided(channel) {
      const player = await openGuided(stage, channel, format);
      const [one] = await player.breaks();
      expect(await player.play(one!.list)).toBeCloseTo(10, 1);
      return player.session;
    },
  });
});
