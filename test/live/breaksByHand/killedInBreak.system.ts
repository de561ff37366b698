// SPDX-License-Identifier: Apache-2.0
// SIGKILL while breaks by hand are on air or announced: after the restart, on the same SQLite file, viewers see the rest of them, and
// operators end and cancel them.
import { expect, test } from 'vitest';
import { isOurs, sharedMedia } from '../../laws/readBack.ts';
import { fileStage } from '../fileStage.ts';
import { airLive, offerSpots, segmentsOf, startOrigin } from '../liveStage.ts';
import { openRealStage, titlesOf } from '../stage.ts';
import type { Viewer } from '../viewer.ts';
import { edge, ours, passes, rungOf, SEGMENT } from './seenByHand.ts';

const stage = await fileStage(openRealStage);

const CHANNELS = ['ads', 'dark', 'ahead'] as const;
const ownMedia = (viewer: Viewer): string[] =>
  segmentsOf(viewer, rungOf(viewer)).flatMap(({ uri }) => (isOurs(uri) ? [sharedMedia(uri).split('/')[0]!] : []));
const order = (id: string, body: object) => stage.midroll.api('POST', `/channels/${id}/breaks`, body);
const later = (ms: number) => new Date(stage.clock.now() + ms).toISOString();

/** The state of each inserted break of a channel in the list. */
async function statesOf(id: string): Promise<Record<string, string>> {
  const { items } = (await stage.midroll.api('GET', `/channels/${id}/breaks`)).json;
  return Object.fromEntries(items.map(({ sourceId, state }: Record<string, string>) => [sourceId, state]));
}

test('breaks by hand survive SIGKILL', async () => {
  const { midroll } = stage;
  let isDown = false;
  const air = async (id: string): Promise<Viewer> => {
    const origin = await startOrigin(stage, { breaks: { every: 0, seconds: 12 }, window: 12 });
    await airLive(stage, id, { sourceManifestUrl: origin.hlsUrl }, { maxBreakDuration: 600 });
    if (id !== 'dark') await offerSpots(stage, id);
    return stage.watch(id, { dash: false, fetches: 'ours', isTimed: false, mayBeUnavailable: () => isDown });
  };
  const [ads, dark, ahead] = (await Promise.all(CHANNELS.map(air))) as [Viewer, Viewer, Viewer];
  const viewers = [ads, dark, ahead];

  const long = { id: 'long', duration: 600 };
  const blackout = { id: 'card', kind: 'blackout', asset: await stage.spot(4) };
  for (const [id, body] of [
    ['ads', long],
    ['dark', blackout],
  ] as const)
    expect((await order(id, body)).status).toBe(201);
  await ads.until('the second ad', () => new Set(ownMedia(ads)).size > 1);
  await dark.until('the asset', async () => (await order('dark', blackout)).json.assetState === 'ready');
  await passes(dark, edge(dark) + 2 * SEGMENT);
  const card = ownMedia(dark).at(-1);
  const startsAt = later(25_000);
  const soon = { id: 'soon', duration: 10, startsAt };
  expect((await order('ahead', { id: 'gone', duration: 10, startsAt: later(1_000_000) })).status).toBe(201);
  expect((await order('ahead', soon)).status).toBe(201);

  isDown = true;
  await midroll.kill();
  await midroll.restart();
  // A request that is in flight to the old process may still fail.
  await stage.clock.sleep(300);
  isDown = false;
  await Promise.all(viewers.map((viewer) => passes(viewer, edge(viewer) + 2 * SEGMENT)));
  expect(await statesOf('ads')).toEqual({ long: 'running' });
  expect(await statesOf('dark')).toEqual({ card: 'running' });
  expect(await statesOf('ahead')).toMatchObject({ gone: 'scheduled' });
  for (const [id, body] of [
    ['ads', long],
    ['dark', blackout],
    ['ahead', soon],
  ] as const)
    expect((await order(id, body)).status).toBe(200);
  expect(ownMedia(dark).at(-1)).toBe(card);

  const ended = [edge(ads), edge(dark)];
  expect((await order('ads', { action: 'end' })).json).toMatchObject({ id: 'long', state: 'ended' });
  expect((await order('dark', { action: 'end', id: 'card' })).json.state).toBe('ended');
  expect((await order('ahead', { action: 'cancel', id: 'gone' })).json.state).toBe('cancelled');
  await ahead.until('the announced break', () => ours(ahead).length > 0);
  await passes(ahead, ours(ahead)[0]!.startsAt + 14_000);
  await Promise.all([ads, dark].map((viewer, index) => passes(viewer, ended[index]! + 5 * SEGMENT)));
  await Promise.all(viewers.map((viewer) => viewer.leave()));

  for (const viewer of viewers) {
    expect(viewer.faults).toEqual([]);
    expect(ours(viewer)).toHaveLength(1);
  }
  // Where the log and the viewers are when the request arrives differs by a segment at most.
  for (const [index, viewer] of [ads, dark].entries())
    expect(ours(viewer)[0]!.endsAt - ended[index]!).toBeLessThanOrEqual(3 * SEGMENT);
  const [shown] = ours(ahead);
  expect(shown!.endsAt - shown!.startsAt).toBe(10_000);
  expect(Math.abs(shown!.startsAt - Date.parse(startsAt))).toBeLessThanOrEqual(3 * SEGMENT);
  expect(titlesOf((await stage.breaks(ahead))[0]!)).toEqual(['Ad four', 'Ad six']);
  expect(titlesOf((await stage.breaks(ads))[0]!)).toEqual(['Ad four', 'Ad six']);
  expect(await statesOf('ads')).toEqual({ long: 'ended' });
  expect(await statesOf('dark')).toEqual({ card: 'ended' });
  expect(await statesOf('ahead')).toEqual({ soon: 'ended' });
  expect(midroll.bugs()).toEqual([]);
});
