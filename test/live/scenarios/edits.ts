// SPDX-License-Identifier: Apache-2.0
// Edits of a playlist and of its channel on air: published segments do not change, and the edit takes effect.
import { expect } from 'vitest';
import { isOurs } from '../../laws/readBack.ts';
import { adSource, type Cue, type Item, item, type Stage, titlesOf } from '../stage.ts';
import type { Viewer } from '../viewer.ts';

const cue = { spliceTime: 4, maxDuration: 6 };

async function replace({ midroll }: Stage, collection: string, id: string, body: object): Promise<void> {
  const { status, json } = await midroll.api('PUT', `/${collection}/${id}`, body);
  expect([status, json.message]).toEqual([200, undefined]);
}

/** Consecutive segments listed after an instant, one entry per run: the folder URL of a video, or `break`. */
function runsAfter({ listed }: Viewer, from: number): string[] {
  const after = [...listed.get('v0')!.values()].filter(({ date }) => date > from);
  const names = after
    .sort((one, other) => one.number - other.number)
    .map(({ uri }) => (isOurs(uri) ? 'break' : uri.replace(/[^/]+$/, '')));
  return names.filter((name, index) => name !== names[index - 1]);
}

const endsWith = (list: readonly string[], ending: readonly string[]): boolean =>
  ending.every((name, index) => list[list.length - ending.length + index] === name);

export async function playlistIsEdited(stage: Stage): Promise<void> {
  const [a, b, c, spot] = await Promise.all([
    stage.video({ seconds: 4 }),
    stage.video({ seconds: 4, sampleRate: 44_100 }),
    stage.video({ seconds: 4, container: 'dash' }),
    stage.spot(3),
  ]);
  const [preRoll, postRoll] = [0, 4].map((spliceTime) => ({ spliceTime, maxDuration: 4 })) as [Cue, Cue];
  stage.adHost.offer('/edited', () => [{ id: 'three', seconds: 3, url: spot }]);
  await stage.air('edited', [item(a, preRoll), item(b)], { adSource: adSource(stage.adHost, '/edited') });
  const viewers = await Promise.all([stage.watch('edited'), stage.watch('edited', { opens: 'dash' })]);
  const [viewer] = viewers;
  const [inA, inB, inC] = [a, b, c].map((url) => new URL('.', url).href) as [string, string, string];

  let edited = stage.clock.now();
  const edit = (contents: readonly Item[], status: object = { status: 'enabled' }) => {
    edited = stage.clock.now();
    return replace(stage, 'playlists', 'edited', { contents, ...status });
  };
  const until = (what: string, ...ending: readonly string[]) =>
    viewer.until(
      what,
      () => endsWith(runsAfter(viewer, edited), ending),
      () => runsAfter(viewer, edited).join(', '),
    );

  await edit([item(a, preRoll), item(b), item(c)]);
  await until('the added item is listed', inB, inC);

  await edit([item(a, postRoll), item(c)]);
  await until('the removed item and the moved cue point take effect', inC, inA, 'break');

  // A second edit before the first takes effect.
  await edit([item(b, preRoll)]);
  await edit([item(a), item(c, preRoll)]);
  await until('the second edit is listed', inA, 'break', inC);
  expect(runsAfter(viewer, edited)).not.toContain(inB);

  // An omitted status means disabled.
  await edit([item(a, preRoll)], {});
  const latest = () => Math.max(...[...viewer.listed.get('v0')!.values()].map(({ date }) => date));
  await viewer.until('slate is listed', () => `${runsAfter(viewer, latest() - 6000)}` === 'break');
  const { json: channel } = await stage.midroll.api('GET', '/channels/edited');
  expect(channel).toMatchObject({ state: 'enabled' });
  expect(channel.stateReason).toMatch(/disabled.*slate/);

  await edit([item(a), item(b, preRoll)]);
  await until('content is listed again', 'break', inA, 'break', inB);
  await Promise.all(viewers.map((one) => one.leave()));
  expect(viewers.flatMap(({ faults }) => faults)).toEqual([]);
}

export async function channelIsEdited(stage: Stage): Promise<void> {
  const { adHost } = stage;
  const [video, spot3, spot4] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(3), stage.spot(4)]);
  adHost.offer('/old', () => [{ id: 'old', seconds: 3, url: spot3 }]);
  adHost.offer('/new', () => [{ id: 'new', seconds: 4, url: spot4 }]);
  await stage.air('moved', [item(video, cue)], { adSource: adSource(adHost, '/old'), playlistSize: 20 });
  const viewer = await stage.watch('moved');
  let edited = stage.clock.now();
  const edit = (body: object) => {
    edited = stage.clock.now();
    return replace(stage, 'channels', 'moved', { state: 'enabled', apiKey: 'key', playlistId: 'moved', ...body });
  };
  const hasBreak = async (matches: (titles: string[], code: string | undefined) => boolean) =>
    (await stage.breaks(viewer)).some(
      (one) => one.at > edited && one.at < stage.clock.now() && matches(titlesOf(one), one.reason?.code),
    );

  await viewer.until('an ad of the first server', () => hasBreak((titles) => titles.includes('Ad old')));
  await edit({ adSource: adSource(adHost, '/new'), playlistSize: 60 });
  await viewer.until('an ad of the second server', () => hasBreak((titles) => titles.includes('Ad new')));
  await edit({ playlistSize: 10 });
  await viewer.until('a break without an ad server', () => hasBreak((_, code) => code === 'NO_AD_SERVER'));
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
}
