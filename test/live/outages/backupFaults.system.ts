// SPDX-License-Identifier: Apache-2.0
// Backup origins that fail themselves: the next one takes over, and the channel states what is wrong.
import { expect, test } from 'vitest';
import { naming } from '../../naming.ts';
import { fileStage } from '../fileStage.ts';
import { airLive, startOrigin } from '../liveStage.ts';
import type { LiveOrigin } from '../origin/liveOrigin.ts';
import type { OriginFault, OriginRequest } from '../origin/originFault.ts';
import {
  channelWhen,
  dies,
  expectNothingTwice,
  type Format,
  healthOf,
  originEvents,
  shownOrigins,
  urlOf,
  watchIn,
} from './shownOrigins.ts';

const stage = await fileStage();

type Fault = (request: OriginRequest) => OriginFault | undefined;
const rewriting =
  (kind: OriginRequest['kind'], rewrite: (text: string, path: string) => string): Fault =>
  (request) =>
    request.kind === kind ? { does: 'rewrite', rewrite: (text) => rewrite(text, request.path) } : undefined;
/** Manifests as they were when they were first read. */
const frozen = (kind: 'media' | 'mpd', end: (text: string) => string): Fault => {
  const kept = new Map<string, string>();
  return rewriting(kind, (text, path) => {
    if (!kept.has(path)) kept.set(path, end(text));
    return kept.get(path)!;
  });
};
const withoutVideo = (text: string): string =>
  text.replace(/#EXT-X-STREAM-INF[^\n]*\nv1\.m3u8\n/, '').replace(/<Representation id="v1"[^>]*\/>/g, '');

type Channel = { readonly live?: Readonly<Record<Format, { readonly warnings?: readonly string[] }>> };

/** What the warning and the health of the backup name. No warning is expected for faults that begin with the outage. */
type Case = {
  readonly fault: Fault;
  readonly setup?: object;
  readonly warning?: readonly (string | number)[];
  readonly reason: readonly (string | number)[];
  /** It is used nevertheless. */
  readonly isUsed?: true;
};
const both = (one: Case) => ({ hls: one, dash: one });
const ended = (setup: object): Case => ({
  ...{ fault: frozen('media', (text) => `${text}#EXT-X-ENDLIST\n`), setup },
  ...{ warning: ['EXT-X-ENDLIST'], reason: ['EXT-X-ENDLIST'] },
});
const asStatic = (text: string) => text.replace('type="dynamic"', 'type="static"');

const cases: Readonly<Record<string, { readonly [Of in Format]?: Case }>> = {
  'status 404': both({ fault: () => ({ does: 'respond', status: 404 }), warning: [404], reason: [404] }),
  'no response': both({ fault: () => ({ does: 'hang' }), reason: [] }),
  'HTML with status 200': {
    hls: {
      fault: () => ({ does: 'respond', status: 200, body: '<!doctype html>' }),
      warning: ['#EXTM3U'],
      reason: ['EXT-X-STREAM-INF'],
    },
    dash: {
      fault: () => ({ does: 'respond', status: 200, body: '<!doctype html>' }),
      warning: ['MPD'],
      reason: ['MPD'],
    },
  },
  'no second video': {
    hls: { fault: rewriting('multivariant', withoutVideo), reason: [], isUsed: true },
    dash: { fault: rewriting('mpd', withoutVideo), reason: [], isUsed: true },
  },
  'no audio': {
    hls: {
      fault: rewriting('multivariant', (text) => text.replace(/#EXT-X-MEDIA:TYPE=AUDIO[^\n]*\n/g, '')),
      warning: ['audio'],
      reason: ['audio'],
    },
  },
  'an ended stream': {
    hls: ended({}),
    dash: { fault: frozen('mpd', asStatic), warning: ['static'], reason: ['static'] },
  },
  'an ended stream without dates': { hls: ended({ dates: 'none' }) },
  'manifests that stand still': {
    hls: { fault: frozen('media', (text) => text), reason: ['no new segments'] },
    dash: { fault: frozen('mpd', (text) => text), reason: ['no new segments'] },
  },
  'no dates': { hls: { fault: () => undefined, setup: { dates: 'none' }, reason: [], isUsed: true } },
};
const runs = Object.entries(cases).flatMap(([name, of]) =>
  (['hls', 'dash'] as const).flatMap((format) => (of[format] ? [{ name, format, ...of[format] }] : [])),
);

test.concurrent.each(runs)('$format: the first backup has $name', async (run) => {
  const { name, format, fault, setup = {}, warning, reason, isUsed } = run;
  const { clock } = stage;
  const [main, first, second] = (await Promise.all(
    [{}, setup, {}].map((one) => startOrigin(stage, { window: 8, ...one })),
  )) as [LiveOrigin, LiveOrigin, LiveOrigin];
  const id = `${format}-${name}`.replace(/\W+/g, '-').toLowerCase();
  const urls = [first, second].map((origin) => urlOf(origin, format));
  // What stands still did so before the outage. The analysis of a backup that hangs takes long.
  if (name !== 'no response') first.fail(fault);
  await airLive(stage, id, { sourceManifestUrl: urlOf(main, format) }, { backupManifestUrls: urls });
  const viewer = await watchIn(stage, id, format);
  await clock.sleep(10_000);
  const isAnalysed = ({ live }: Channel) => warning === undefined || live?.[format].warnings !== undefined;
  const { warnings } = (await channelWhen(stage, id, isAnalysed)).live[format];
  expect(warnings).toEqual(warning && [naming('backupManifestUrls[0]', ...warning)]);
  if (name === 'no response') first.fail(fault);
  dies(main);
  await clock.sleep(40_000);
  await viewer.leave();
  const used = isUsed ? 'first' : 'second';
  expect(shownOrigins(viewer, { main, first, second })).toEqual(['main', used]);
  expectNothingTwice(viewer);
  const url = urls[isUsed ? 0 : 1];
  const { state, onAir, backups } = await healthOf(stage, id, format);
  expect({ state, onAir }).toMatchObject({ state: 'failing', onAir: { kind: 'backup', url } });
  expect(backups).toMatchObject([
    isUsed ? { url, state: 'ok' } : { url: urls[0], state: 'failing', reason: naming(...reason) },
    { url: urls[1], state: 'ok' },
  ]);
  expect((await originEvents(stage, id)).map(({ state, onAir, url: from }) => [state, onAir, from])).toEqual([
    ['ok', 'source', urlOf(main, format)],
    ['failing', 'source', urlOf(main, format)],
    ['failing', 'backup', url],
  ]);
  expect(viewer.faults).toEqual([]);
});
