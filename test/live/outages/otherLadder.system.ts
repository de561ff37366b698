// SPDX-License-Identifier: Apache-2.0
// Encoders that restart with another ladder while viewers watch: what viewers see, and what the channel states.
import { expect, test } from 'vitest';
import { naming } from '../../naming.ts';
import { fileStage } from '../fileStage.ts';
import { airLive, startOrigin } from '../liveStage.ts';
import { channelWhen, healthOf, originEvents, shownOrigins, urlOf, watchIn } from './shownOrigins.ts';

const stage = await fileStage();

const VARIANT = /#EXT-X-STREAM-INF[^\n]*\nv1\.m3u8\n/;
const REPRESENTATION = /<Representation id="v1"[^>]*\/>/;
const scaled = (text: string, by: number): string =>
  text.replace(/(?<=BANDWIDTH=|bandwidth=")\d+/g, (rate) => String(Math.round(Number(rate) * by)));
const resized = (text: string, width: number, height: number): string =>
  text
    .replace('320x180', `${width}x${height}`)
    .replace('width="320" height="180"', `width="${width}" height="${height}"`);
const added = (text: string): string =>
  text
    .replace(VARIANT, (one) => `${one}${scaled(resized(one, 160, 90), 0.5)}`)
    .replace(REPRESENTATION, (one) => `${one}${resized(one, 160, 90).replace('"v1"', '"v2"')}`);

/** What viewers see of the new ladder, and what the channel states: a name in its reason, and one in a warning of health. */
type Outcome = { readonly shows: 'slate' | 'origin'; readonly reason?: string; readonly warning?: string };
type Case = {
  readonly name: string;
  readonly rewrite: (text: string) => string;
  readonly hls: Outcome;
  readonly dash: Outcome;
};
const replaced: Outcome = { shows: 'origin', reason: '320x180', warning: '320x180' };
const cases: readonly Case[] = [
  {
    ...{ name: 'a rendition less', rewrite: (text) => text.replace(VARIANT, '').replace(REPRESENTATION, '') },
    ...{ hls: replaced, dash: { shows: 'origin', reason: '0/v1', warning: '0/v0' } },
  },
  {
    ...{ name: 'a rendition more', rewrite: added },
    ...{ hls: { shows: 'origin' }, dash: { shows: 'origin', warning: '"v2"' } },
  },
  {
    ...{ name: 'another bit rate', rewrite: (text) => scaled(text, 1.4) },
    ...{ hls: { shows: 'origin', reason: '320x180', warning: '320x180' }, dash: { shows: 'origin' } },
  },
  {
    ...{ name: 'five times the bit rate', rewrite: (text) => scaled(text, 5) },
    ...{ hls: replaced, dash: { shows: 'origin' } },
  },
  {
    ...{ name: 'another size', rewrite: (text) => resized(text, 426, 240) },
    ...{ hls: replaced, dash: { shows: 'origin' } },
  },
];
const runs = cases.flatMap((one) =>
  (['hls', 'dash'] as const).map((format) => ({ ...one, format, outcome: one[format] })),
);

test.concurrent.each(runs)('$format: the encoder restarts with $name', async ({ name, rewrite, format, outcome }) => {
  const { clock, midroll } = stage;
  const origin = await startOrigin(stage, { window: 8 });
  const id = `${format}-${name}`.replace(/\W+/g, '-');
  await airLive(stage, id, { sourceManifestUrl: urlOf(origin, format) });
  const viewer = await watchIn(stage, id, format);
  await clock.sleep(10_000);
  origin.broadcast.restart(clock.now(), 16_000, 1);
  const restore = origin.fail(({ kind, edge }) => {
    // The playlists of the new ladder are in another folder.
    if (kind === 'media' && edge === '') return { does: 'respond', status: 404 };
    if (kind === 'multivariant')
      return { does: 'rewrite', rewrite: (text) => rewrite(text).replace(/(?=\b[av]\d\.m3u8)/g, 'edge1/') };
    return kind === 'mpd' ? { does: 'rewrite', rewrite } : undefined;
  });
  await clock.sleep(35_000);
  const { onAir, state, reason: failure, warnings } = await healthOf(stage, id, format);
  const { shows, reason, warning } = outcome;
  expect([onAir.kind, state]).toEqual(shows === 'slate' ? ['slate', 'failing'] : ['source', 'ok']);
  expect(failure).toEqual(shows === 'slate' ? naming(reason!) : undefined);
  expect(warnings?.at(-1)).toEqual(warning && naming(warning));
  await midroll.api('PATCH', `/channels/${id}`, { name: 'edited' });
  const isPlanned = (one: { stateReason?: string }) => (one.stateReason !== undefined) === (reason !== undefined);
  const { stateReason, state: ofChannel } = await channelWhen(stage, id, isPlanned);
  expect([ofChannel, stateReason]).toEqual(['enabled', reason && naming(reason, 'for longer than 10 minutes')]);
  restore();
  await clock.sleep(15_000);
  await viewer.leave();
  expect(shownOrigins(viewer, { origin })).toEqual(['origin', 'slate', 'origin']);
  expect((await healthOf(stage, id, format)).state).toBe('ok');
  const events = await originEvents(stage, id);
  if (shows === 'slate')
    expect(events).toContainEqual(expect.objectContaining({ onAir: 'slate', reason: naming(reason!) }));
  expect(events.at(-1)).toMatchObject({ state: 'ok', onAir: 'source' });
  expect(viewer.faults).toEqual([]);
});
