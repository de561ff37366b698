// SPDX-License-Identifier: Apache-2.0
// Live programmes in the schedule of a linear channel, on a virtual clock: an origin is on air from the start of its entry on.
import { expect, test } from 'vitest';
import { programmeEnd } from '../../../src/scte35/programmeMessages.ts';
import { base64Text, hexText } from '../../../src/scte35/writeSection.ts';
import { millis } from '../../../src/time/units.ts';
import { isOurs } from '../../laws/readBack.ts';
import { fileStage } from '../fileStage.ts';
import { startOrigin } from '../liveStage.ts';
import type { LiveOrigin } from '../origin/liveOrigin.ts';
import { adSource, item } from '../stage.ts';
import type { Viewer } from '../viewer.ts';

const stage = await fileStage();
const FRAME_MS = 40;
const iso = (at: number) => new Date(at).toISOString();

async function scheduled(id: string, body: object, channel: object = {}): Promise<number> {
  const { status, json } = await stage.midroll.api('PUT', `/channels/${id}/schedule`, body);
  expect([status, json.message]).toEqual([200, undefined]);
  await stage.midroll.api('PATCH', `/channels/${id}`, { state: 'enabled', ...channel });
  return json;
}

type Run = { readonly of: string; readonly from: number; to: number };

/** What a viewer was shown: `slate`, `live`, or the folder of an asset; consecutive segments as one. */
function runsOf({ listed }: Viewer): Run[] {
  const runs: Run[] = [];
  for (const { uri, date, duration } of [...listed.get('v0')!.values()].sort(
    (one, other) => one.number - other.number,
  )) {
    const of = isOurs(uri) ? 'slate' : (/\/(m\d+)\//.exec(uri)?.[1] ?? 'live');
    const last = runs.at(-1);
    const to = date + duration / 1000;
    if (last?.of === of && Math.abs(last.to - date) < FRAME_MS) last.to = to;
    else runs.push({ of, from: date, to });
  }
  return runs;
}
const soon = () => Math.ceil(stage.clock.now() / 1000) * 1000 + 40_000;

const origins = ['hlsUrl', 'dashUrl'] as const;

test.each(origins)(
  'an origin is on air from the start to the planned end of its entry, in HLS and DASH: %s',
  async (url) => {
    const [film, filler, origin] = await Promise.all([
      stage.video({ seconds: 40 }),
      stage.video({ seconds: 8 }),
      startOrigin(stage),
    ]);
    const id = `live1-${url}`;
    await stage.air(id, [item(filler)], { state: 'disabled', adSource: adSource(stage.adHost, '/none') });
    const start = soon();
    const live = { sourceManifestUrl: origin[url], plannedDuration: 40 };
    await scheduled(id, {
      entries: [
        { id: 'before', start: iso(start - 30_000), source: { url: film } },
        { id: 'match', title: 'Match', start: iso(start), source: { live } },
        { id: 'after', start: iso(start + 40_000), source: { url: film } },
      ],
    });
    const viewers = await Promise.all([stage.watch(id), stage.watch(id, { opens: 'dash' })]);
    await viewers[0].until('the film after it', () => stage.clock.now() > start + 70_000);
    await Promise.all(viewers.map((viewer) => viewer.leave()));
    expect(viewers.flatMap(({ faults }) => faults)).toEqual([]);
    const range = `from=${iso(start)}&to=${iso(start + 39_000)}`;
    const { json } = await stage.midroll.api('GET', `/channels/${id}/as-run?${range}`);
    const row = json.items.find(({ entryId }: { entryId?: string }) => entryId === 'match');
    expect(row).toMatchObject({ kind: 'programme', title: 'Match', asset: { url: origin[url] }, differences: [] });
    for (const viewer of viewers) {
      const runs = runsOf(viewer);
      const shown = runs.filter(({ of }) => of === 'live');
      expect(shown, JSON.stringify(runs)).toHaveLength(1);
      expect(Math.abs(shown[0]!.from - start)).toBeLessThanOrEqual(FRAME_MS);
      expect(shown[0]!.to).toBeGreaterThan(start + 36_000);
      expect(runs.some(({ from }) => Math.abs(from - start - 40_000) <= FRAME_MS)).toBe(true);
    }
  },
);

/** A live entry of three minutes at most that is on air, and a viewer of it. */
async function onAir(id: string, sourceManifestUrl: string, live: object, after: readonly object[] = []) {
  const filler = await stage.video({ seconds: 8 });
  await stage.air(id, [item(filler)], { state: 'disabled', adSource: adSource(stage.adHost, `/${id}`) });
  const start = soon();
  const source = { live: { sourceManifestUrl, plannedDuration: 180, ...live } };
  const entries = after.map((entry, index) => ({ id: `after${index}`, ...entry }));
  await scheduled(id, { entries: [{ id: 'match', start: iso(start), source }, ...entries] });
  const viewers = await Promise.all([stage.watch(id), stage.watch(id, { opens: 'dash' })]);
  return { start, viewers };
}

const expectNoFaults = async (viewers: readonly Viewer[]) => {
  await Promise.all(viewers.map((viewer) => viewer.leave()));
  expect(viewers.flatMap(({ faults }) => faults)).toEqual([]);
};

test.each([
  ['hlsUrl', 'none'],
  ['dashUrl', 'xml+bin'],
  ['dashUrl', 'inband'],
] as const)(
  'breaks of the origin are breaks of the channel, with the ads of the viewer: %s, %s',
  async (url, dashMarkers) => {
    const id = `live2-${url}-${dashMarkers === 'inband'}`;
    const [origin, spot] = await Promise.all([
      startOrigin(stage, { hlsMarkers: 'cue', dashMarkers, breaks: { every: 60, seconds: 16, first: 40 } }),
      stage.spot(16),
    ]);
    stage.adHost.offer(`/${id}`, () => [{ id: 'sixteen', seconds: 16, url: spot }]);
    const { start, viewers } = await onAir(id, origin[url], {});
    await viewers[0]!.until('two breaks', () => stage.clock.now() > start + 140_000);
    const breaks = await Promise.all(viewers.map((viewer) => stage.breaks(viewer)));
    await expectNoFaults(viewers);
    for (const own of breaks) {
      const during = own.filter(({ at }) => at > start && at < start + 110_000);
      expect(during.map(({ duration }) => duration)).toEqual(during.map(() => 16));
      expect(during.length).toBeGreaterThanOrEqual(1);
      expect(during.at(-1)!.status).toBe('filled');
    }
  },
);

test('slate is on air while the origin is away, and the entry goes on when it returns', async () => {
  const origin = await startOrigin(stage);
  const { start, viewers } = await onAir('live3', origin.hlsUrl, {});
  const [viewer] = viewers;
  await viewer!.until('live content', () => stage.clock.now() > start + 30_000);
  const recover = origin.fail(({ kind }) =>
    kind === 'media' || kind === 'multivariant' ? { does: 'respond', status: 503 } : undefined,
  );
  await viewer!.until('slate', () => stage.clock.now() > start + 75_000);
  recover();
  await viewer!.until('the end', () => stage.clock.now() > start + 200_000);
  await expectNoFaults(viewers);
  const runs = runsOf(viewer!).filter(({ from, to }) => to > start + 1000 && from < start + 180_000);
  expect(runs.map(({ of }) => of).slice(0, 3)).toEqual(['live', 'slate', 'live']);
  expect(runs[2]!.from).toBeLessThan(start + 100_000);
});

test.each(['join', 'move'] as const)('an operator ends an entry, and those after it %s', async (overrun) => {
  const [origin, film] = await Promise.all([startOrigin(stage), stage.video({ seconds: 120 })]);
  const plannedDuration = 60;
  const at = soon() + 60_000;
  const id = `live-${overrun}`;
  const { start, viewers } = await onAir(id, origin.hlsUrl, { plannedDuration, end: 'manual', overrun }, [
    { start: iso(at), source: { url: film } },
  ]);
  const [viewer] = viewers;
  await viewer!.until('the planned end', () => stage.clock.now() > start + 100_000);
  const { status } = await stage.midroll.api('POST', `/channels/${id}/schedule/entries/match/end`);
  const again = await stage.midroll.api('POST', `/channels/${id}/schedule/entries/match/end`);
  expect([status, again.status]).toEqual([200, 409]);
  await viewer!.until('the film', () => stage.clock.now() > start + 140_000);
  await expectNoFaults(viewers);
  const segments = [...viewer!.listed.get('v0')!.values()].sort((one, other) => one.number - other.number);
  const first = segments.find(({ uri, date }) => date > start && /\/m\d+\//.test(uri))!;
  expect(first.date).toBeGreaterThan(start + 100_000);
  expect(first.date).toBeLessThan(start + 120_000);
  const passed = Number(/(\d+)\.m4s/.exec(first.uri)![1]);
  if (overrun === 'move') expect(passed).toBeLessThanOrEqual(1);
  else expect(passed).toBeGreaterThan(5);
});

/** Marks the next segment of an origin with the end of a programme. @returns its number */
function endProgramme({ fail }: LiveOrigin, tag: string): () => number | undefined {
  let marked: number | undefined;
  const numbers = /#EXTINF[^\n]*\n(?:#[^\n]*\n)*\S*\/(\d+)\.m4s/g;
  fail(({ kind }) =>
    kind !== 'media'
      ? undefined
      : {
          does: 'rewrite',
          rewrite(text) {
            const listed = [...text.matchAll(numbers)].map(([, number]) => Number(number));
            marked ??= Math.max(...listed) + 1;
            return text.replace(numbers, (whole, number) => (Number(number) === marked ? `${tag}\n${whole}` : whole));
          },
        },
  );
  return () => marked;
}

const PROGRAMME_END = programmeEnd({ id: 'match', startsAt: millis(0) });

test.each([
  ['range', `#EXT-X-DATERANGE:ID="end",START-DATE="2026-01-01T00:00:00Z",SCTE35-CMD=${hexText(PROGRAMME_END)}`],
  ['message', `#EXT-OATCLS-SCTE35:${base64Text(PROGRAMME_END)}`],
])('an origin ends an entry where it ends its programme: %s', async (name, tag) => {
  const [origin, film] = await Promise.all([startOrigin(stage), stage.video({ seconds: 120 })]);
  const id = `marked-${name}`;
  const live = { plannedDuration: 600, end: 'marker' };
  const { start, viewers } = await onAir(id, origin.hlsUrl, live, [{ source: { url: film } }]);
  const [viewer] = viewers;
  await viewer!.until('live content', () => stage.clock.now() > start + 70_000);
  const marked = endProgramme(origin, tag);
  await viewer!.until('the film', () => stage.clock.now() > start + 110_000);
  await expectNoFaults(viewers);
  const { json } = await stage.midroll.api('GET', `/channels/${id}/schedule`);
  const { endedAt } = json.entries[0].source.live;
  expect(json.modifiedBy).toBe('origin');
  for (const one of viewers) {
    const runs = runsOf(one).filter(({ from }) => from >= start - FRAME_MS);
    expect(runs.map(({ of }) => of)).toEqual(['live', expect.stringMatching(/^m\d/)]);
    expect(Math.abs(runs[0]!.to - Date.parse(endedAt))).toBeLessThanOrEqual(FRAME_MS);
    expect(Math.abs(runs[1]!.from - runs[0]!.to)).toBeLessThanOrEqual(FRAME_MS);
  }
  const uris = [...viewer!.listed.get('v0')!.values()]
    .map(({ uri }) => uri)
    .filter((uri) => uri.startsWith(origin.url));
  expect(Math.max(...uris.map((uri) => Number(/(\d+)\.m4s/.exec(uri)![1])))).toBe(marked()! - 1);
});

test('an origin that cannot be used is stated by a dry run and in the status', async () => {
  const protection = '<ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc"/>';
  const [origin, filler] = await Promise.all([startOrigin(stage, { protection }), stage.video({ seconds: 8 })]);
  await stage.air('live6', [item(filler)]);
  const live = { sourceManifestUrl: origin.dashUrl, plannedDuration: 60 };
  const body = { entries: [{ id: 'match', title: 'Match', start: iso(soon() + 600_000), source: { live } }] };
  const dryRun = async (): Promise<string> => {
    const { json } = await stage.midroll.api('PUT', '/channels/live6/schedule?dryRun=true', body);
    return json.warnings.join(' ');
  };
  while (!(await dryRun()).includes('declared for DASH only')) await stage.clock.sleep(1000);
  await scheduled('live6', body);
  const status = async (): Promise<string> =>
    (await stage.midroll.api('GET', '/channels/live6')).json.stateReason ?? '';
  while (!(await status()).includes('declared for DASH only')) await stage.clock.sleep(1000);
  const { json } = await stage.midroll.api('GET', `/channels/live6/schedule/timeline`);
  expect(json.timeline.some((row: { entryId?: string }) => row.entryId === 'match')).toBe(true);
});

test('an operator inserts a break into a live entry, which goes on after it', async () => {
  const origin = await startOrigin(stage);
  const { start, viewers } = await onAir('live7', origin.hlsUrl, { plannedDuration: 120 });
  const [viewer] = viewers;
  await viewer!.until('live content', () => stage.clock.now() > start + 30_000);
  expect((await stage.midroll.api('POST', '/channels/live7/breaks', { id: 'goal', duration: 20 })).status).toBe(201);
  await viewer!.until('the end', () => stage.clock.now() > start + 130_000);
  await expectNoFaults(viewers);
  const runs = runsOf(viewer!).filter(({ from, to }) => to > start + 1000 && from < start + 115_000);
  expect(runs.map(({ of }) => of)).toEqual(['live', 'slate', 'live']);
  expect(runs[1]!.to - runs[1]!.from).toBeGreaterThanOrEqual(19_900);
  expect(runs[1]!.to - runs[1]!.from).toBeLessThan(30_000);
});

test('an entry of a rule is live, too, and its occurrence is ended by hand', async () => {
  const [origin, filler, news, film] = await Promise.all([
    startOrigin(stage),
    ...[8, 20, 120].map((seconds) => stage.video({ seconds })),
  ]);
  await stage.air('live8', [item(filler!)], { state: 'disabled' });
  const start = soon();
  const live = { sourceManifestUrl: origin.hlsUrl, plannedDuration: 40, end: 'manual' };
  const sources = { news: { url: news }, show: { live }, film: { url: film } };
  const entries = Object.entries(sources).map(([id, source]) => ({ id, source }));
  await scheduled('live8', { entries: [], rules: [{ id: 'daily', at: iso(start).slice(11, 19), entries }] });
  const viewer = await stage.watch('live8');
  const path = '/channels/live8/schedule';
  const id = `daily@${iso(start).slice(0, 10)}.show`;
  const end = async (entryId: string): Promise<number> =>
    (await stage.midroll.api('POST', `${path}/entries/${entryId}/end`)).status;
  const shown = async () => {
    // What is before the start may last a frame longer.
    const range = `from=${iso(start + 1000)}&to=${iso(start + 70_000)}`;
    const { json } = await stage.midroll.api('GET', `${path}/timeline?${range}`);
    return json.timeline.map(({ entryId, startsAt }: Record<string, string>) => [entryId, startsAt]);
  };
  const ended = async () => (await stage.midroll.api('GET', path)).json.rules[0].ended;

  expect([await end(id), await end('daily@2026-01-01.show')]).toEqual([409, 404]);
  await viewer.until('more than is planned', () => stage.clock.now() > start + 75_000);
  const before = await shown();
  expect(before.map(([entryId]: string[]) => entryId?.split('.')[1])).toEqual(['news', 'show']);
  expect(await end(id)).toBe(200);
  expect(await ended()).toMatchObject([{ entryId: id }]);
  expect((await stage.midroll.api('POST', `${path}/undo`)).status).toBe(200);
  expect(await ended()).toBeUndefined();
  await viewer.until('that it goes on', () => stage.clock.now() > start + 100_000);
  expect([await end(id), await end(id)]).toEqual([200, 409]);
  expect(await shown()).toEqual(before);
  await viewer.until('the film', () => stage.clock.now() > start + 140_000);
  await expectNoFaults([viewer]);
  const runs = runsOf(viewer).filter(({ from }) => from > start - 1000);
  const show = runs.filter(({ of }) => of === 'live');
  expect(Math.abs(show[0]!.from - start - 20_000)).toBeLessThanOrEqual(FRAME_MS);
  expect(show.at(-1)!.to).toBeGreaterThan(start + 95_000);
  expect(runs.at(-1)!.of).toMatch(/^m/);
  expect(runs.at(-1)!.from).toBeLessThan(start + 120_000);
});
