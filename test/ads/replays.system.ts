// SPDX-License-Identifier: Apache-2.0
// Replaying breaks of live channels and of VoD sessions, while their sessions live and after these have ended.
import { expect, test } from 'vitest';
import { writeVast } from '../live/adHost.ts';
import { fileStage } from '../live/fileStage.ts';
import { airLive, offerSpots, startOrigin } from '../live/liveStage.ts';
import type { BreakBehaviour } from '../live/origin/breakPlan.ts';
import { item, openVirtualStage, type Stage, titlesOf } from '../live/stage.ts';
import type { Viewer } from '../live/viewer.ts';
import { airVod, openVod, untilHolds } from '../vod/watchVod.ts';

const stage = await fileStage(() => openVirtualStage({ SESSION_TTL: '60' }));

type Change = { readonly adId: string; readonly change: string; readonly text?: string };
const api: Stage['midroll']['api'] = (method, path, body) => stage.midroll.api(method, path, body);
const replay = (session: string, id: string, body: object = {}) =>
  api('POST', `/sessions/${session}/breaks/${id}/replay`, body);
const changesOf = ({ json }: Awaited<ReturnType<typeof replay>>) =>
  json.differences.map(({ adId, change }: Change) => `${adId} ${change}`);
const traceOf = async (session: string) => (await api('GET', `/sessions/${session}`)).json;
const requestsOf = (path: string) => stage.adHost.seen.filter((one) => one.path.startsWith(path)).length;
const edit = async (path: string, fields: object) => {
  const { json } = await api('GET', path);
  const { status } = await api('PATCH', path, { ...fields, __v: json.__v });
  expect(status).toBe(200);
};

/** Watches a live channel whose origin has SCTE-35 markers, until a break has ended. */
async function watchBreak(id: string, behaviour: BreakBehaviour, channel: object = {}) {
  const breaks = { every: 60, seconds: 12, first: 30, behaviour };
  const origin = await startOrigin(stage, { window: 8, hlsMarkers: 'scte35', breaks });
  await airLive(stage, id, { sourceManifestUrl: origin.hlsUrl }, channel);
  await offerSpots(stage, id);
  const viewer = await stage.watch(id, { dash: false });
  const first = async () => (await stage.breaks(viewer))[0];
  await viewer.until('a break is over', async () => {
    const one = await first();
    return one !== undefined && stage.clock.now() > one.at + 40_000;
  });
  await viewer.leave();
  return { viewer, one: (await first())! };
}

const hasEnded = async ({ session }: Viewer) => (await traceOf(session)).endedAt !== undefined;

test('a break of a live channel is replayed by the rules of now, also after its session has ended', async () => {
  const { viewer, one } = await watchBreak('replayed-live', 'exact');
  const { session } = viewer;
  expect(titlesOf(one)).toEqual(['Ad four', 'Ad six']);
  const requests = requestsOf('/replayed-live');
  const same = await replay(session, one.id);
  expect(same).toMatchObject({ status: 200, json: { missing: [], exchanges: [], before: { id: one.id } } });
  expect(changesOf(same)).toEqual(['four same', 'six same']);
  expect(same.json.now).toMatchObject({ status: one.status, duration: 12, slate: one.slate });

  const shorter = await replay(session, one.id, { breakDuration: 5 });
  expect(changesOf(shorter)).toEqual(['four same', 'six skippedNow']);
  expect(shorter.json.differences[1].now.reason.code).toBe('BREAK_DURATION_EXCEEDED');
  expect(changesOf(await replay(session, one.id, { maxAds: 1 }))).toEqual(['four same', 'six skippedNow']);

  await untilHolds(stage, 'the session has ended', () => hasEnded(viewer));
  const beacons = requestsOf('/beacon');
  const ended = await replay(session, one.id);
  expect(changesOf(ended)).toEqual(['four same', 'six same']);
  expect(ended.json.before).toEqual(same.json.before);
  // What the viewer had seen before.
  expect(ended.json.missing).toHaveLength(1);

  // A creative that was deleted would have to be made again.
  const assets = (await api('GET', '/assets?channel=replayed-live')).json as { id: string; source: string }[];
  const six = assets.find(({ source }) => source === same.json.now.ads[1].mediaFile)!;
  expect((await api('DELETE', `/assets/${six.id}`)).status).toBe(204);
  const without = await replay(session, one.id);
  expect(changesOf(without)).toEqual(['four same', 'six skippedNow']);
  expect(without.json.now.ads[1]).toMatchObject({ creativeState: 'absent', reason: { code: 'CREATIVE_PREPARING' } });

  await edit('/channels/replayed-live', { adSource: null });
  expect((await replay(session, one.id)).json.missing).toHaveLength(2);
  await edit('/channels/replayed-live', { state: 'disabled' });
  await untilHolds(stage, 'off air', async () => (await replay(session, one.id)).json.now === undefined);
  expect((await api('DELETE', '/channels/replayed-live')).status).toBeLessThan(300);
  expect((await replay(session, one.id)).status).toBe(409);
  expect([requestsOf('/replayed-live'), requestsOf('/beacon')]).toEqual([requests, beacons]);
});

test('ads that an early return cut are compared as they were selected', async () => {
  const { viewer, one } = await watchBreak('replayed-early', 'early');
  expect(one).toMatchObject({ duration: 6, reason: { code: 'EARLY_RETURN' } });
  const { json } = await replay(viewer.session, one.id);
  expect(json.differences).toMatchObject([{ change: 'same' }, { change: 'same' }]);
  expect(json).toMatchObject({ now: { limits: { duration: 12 }, duration: 12 } });
  expect(json.missing).toHaveLength(1);
  const short = await replay(viewer.session, one.id, { breakDuration: 6 });
  expect(short.json).toMatchObject({ missing: [], now: { duration: 6, ads: [{ adId: 'four' }, { adId: 'six' }] } });
});

test('both parts of a break that goes on are replayed, with the intro that each of them had', async () => {
  const { viewer } = await watchBreak('replayed-late', 'extended', { bumpers: { intro: await stage.spot(2) } });
  const parts = (await traceOf(viewer.session)).breaks;
  expect(parts).toMatchObject([{ duration: 12, bumpers: 2 }, { duration: 12 }]);
  for (const part of parts) {
    const { json } = await replay(viewer.session, part.id);
    expect(json).toMatchObject({ missing: [], now: { duration: 12, status: part.status, slate: part.slate } });
    expect(json.now.bumpers).toBe(part.bumpers);
    expect(new Set(json.differences.map(({ change }: Change) => change))).toEqual(new Set(['same']));
  }
});

test('a viewer who joined during a break had no intro, and has none in its replay', async () => {
  const intro = await stage.spot(2);
  const { viewer: first, one: whole } = await watchBreak('joined', 'exact', { bumpers: { intro } });
  expect(whole).toMatchObject({ bumpers: 2 });
  expect((await replay(first.session, whole.id)).json.now).toMatchObject({ bumpers: 2, slate: whole.slate });
  // A break starts every 60 s. Players start some seconds behind the edge, so the viewer joins 6 s after the next one has begun.
  const passed = Math.ceil((stage.clock.now() - whole.at) / 60_000);
  while (stage.clock.now() < whole.at + passed * 60_000 + 6000) await stage.clock.sleep(500);
  const late = await stage.watch('joined', { dash: false });
  await late.until('the break is decided', async () => (await stage.breaks(late)).length > 0);
  await late.leave();
  const [part] = await stage.breaks(late);
  const { json } = await replay(late.session, part!.id);
  expect(json.before.limits.duration).toBeLessThan(json.before.duration);
  expect(json.before).not.toHaveProperty('bumpers');
  expect(json.now).not.toHaveProperty('bumpers');
  expect(json.now.limits).toEqual(json.before.limits);
});

test('breaks of a VoD session are replayed in the order of the film, also after it has ended', async () => {
  const [content, two, three] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(2), stage.spot(3)]);
  const ads = [
    { id: 'two', seconds: 2, url: two },
    { id: 'three', seconds: 3, url: three },
  ];
  stage.adHost.offer('/film', () => ads);
  const cues = [
    { spliceTime: 2, maxDuration: 3, maxAds: 1 },
    { spliceTime: 6, maxDuration: 3, maxAds: 1 },
  ];
  await airVod(stage, 'replayed-film', [item(content, ...cues)], { adSource: { url: `${stage.adHost.url}/film` } });
  const trial = () => api('POST', '/channels/replayed-film/try', { prepare: true });
  await untilHolds(stage, 'both creatives are ready', async () => {
    const [ladder] = (await trial()).json.ladders ?? [];
    const states = ladder?.breaks[0].ads.map(({ creativeState }: { creativeState: string }) => creativeState) ?? [];
    return states.length === 2 && states.every((state: string) => state === 'ready');
  });
  const { sessionId } = await openVod(stage, 'replayed-film');
  const { breaks } = await traceOf(sessionId);
  // The second break prefers the ad that the viewer has not seen.
  expect(breaks.map(titlesOf)).toEqual([['Ad two'], ['Ad three']]);
  for (const { id } of breaks) {
    const result = await replay(sessionId, id);
    expect(result.json.missing).toEqual([]);
    expect(new Set(result.json.differences.map(({ change }: Change) => change))).toEqual(new Set(['same']));
    expect(result.json.now).toMatchObject({ status: 'partial', limits: { duration: 3, maxAds: 1 } });
  }
  const second = breaks[1].id as string;
  expect(changesOf(await replay(sessionId, second, { breakDuration: 2 }))).toEqual([
    'three skippedNow',
    'two playsNow',
  ]);

  // The film gets another frame rate, so its ads must be made again.
  const { json: playlist } = await api('GET', '/playlists/replayed-film');
  const faster = await stage.video({ seconds: 8, rate: '30' });
  const contents = [item(faster, ...cues)];
  expect((await api('PATCH', '/playlists/replayed-film', { contents, __v: playlist.__v })).status).toBe(200);
  const first = breaks[0].id as string;
  const other = await replay(sessionId, first);
  expect(changesOf(other)).toContain('two skippedNow');
  expect(other.json.differences[0].now.reason.code).toBe('CREATIVE_PREPARING');
  await trial();
  await untilHolds(stage, 'its creatives are ready', async () =>
    changesOf(await replay(sessionId, first)).includes('two same'),
  );

  for (let minutes = 0; minutes < 200 && (await traceOf(sessionId)).endedAt === undefined; minutes += 1)
    await stage.clock.sleep(60_000);
  const past = await replay(sessionId, second);
  expect(past).toMatchObject({ status: 200, json: { before: { id: second } } });
  // Without what the viewer had seen before, the first ad is selected.
  expect(changesOf(past)).toEqual(['three skippedNow', 'two playsNow']);
  expect(past.json.missing).toHaveLength(1);
});

test('records without an ad response of their own are not replayed, and the reason is stated', async () => {
  const [content, two] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(2)]);
  const adBreak = (offset: string, vast: string) =>
    `<vmap:AdBreak timeOffset="${offset}" breakType="linear"><vmap:AdSource><vmap:VASTAdData>${vast.replace(/<\?.*?\?>/, '')}</vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>`;
  const ad = (id: string) => writeVast([{ id, seconds: 2, url: two }]);
  const body = `<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">${adBreak('start', ad('pre'))}${adBreak('00:00:04', writeVast([]))}${adBreak('01:00:00', ad('late'))}</vmap:VMAP>`;
  stage.adHost.on('/named', (response) => void response.writeHead(200, { 'content-type': 'text/xml' }).end(body));
  await airVod(stage, 'named', [item(content)], {
    ...{ breakSource: 'vmap', vodBudgetMs: 5000, adSource: { url: `${stage.adHost.url}/named`, timeoutMs: 5000 } },
  });
  const { sessionId } = await openVod(stage, 'named');
  const records = (await traceOf(sessionId)).breaks as { id: string; status: string; reason?: { code: string } }[];
  const idOf = (code: string) => records.find(({ reason }) => reason?.code === code)!.id;
  for (const code of ['NAMES_BREAKS', 'NO_ADS', 'PAST_THE_END']) {
    const { status, json } = await replay(sessionId, idOf(code));
    expect([code, status, json.message?.includes(`"${idOf(code)}"`)]).toEqual([code, 409, true]);
  }
  const filled = records.find(({ status }) => status !== 'empty')!;
  const shown = await replay(sessionId, filled.id);
  expect(changesOf(shown)).toEqual(['pre same']);
  expect(shown.json.missing).toHaveLength(1);
});

test('a response without success is not replayed, although it contains ads', async () => {
  const [content, two] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(2)]);
  const body = writeVast([{ id: 'two', seconds: 2, url: two }]);
  stage.adHost.on('/failing', (response) => void response.writeHead(500, { 'content-type': 'text/xml' }).end(body));
  await airVod(stage, 'failing', [item(content, { spliceTime: 4, maxDuration: 6 })], {
    adSource: { url: `${stage.adHost.url}/failing` },
  });
  const { sessionId } = await openVod(stage, 'failing');
  const [one] = (await traceOf(sessionId)).breaks;
  expect(one).toMatchObject({ reason: { code: 'AD_SERVER_FAILED' }, response: { raw: body } });
  const { status, json } = await replay(sessionId, one.id);
  expect(status).toBe(200);
  expect(json).toMatchObject({ now: { status: 'empty', reason: { code: 'AD_SERVER_FAILED' }, ads: [] } });
  expect(json.missing.length).toBeGreaterThan(0);
  expect(stage.midroll.bugs()).toEqual([]);
});
