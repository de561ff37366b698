// SPDX-License-Identifier: Apache-2.0
// The channels of the golden test: their settings, playlists, creatives and ad responses.
import { makeAsset, type Shape } from './assets.ts';
import { edited, main, mixed, NTSC, ntsc, silent, sound, TALL, ts } from './shapes.ts';
import type { World } from './stage.ts';
import type { Asset, ShelvedMedia } from './surroundings.ts';
import { creativeKey, type GoldenAd, writeVast } from './vast.ts';

const slate = (id: string): ShelvedMedia => ({ kind: 'slate', id, seconds: 30 });
const spot = (file: string, id: string, seconds: number): ShelvedMedia => ({
  ...{ kind: 'creative', key: creativeKey(file), id, seconds },
});
const bumper = (url: string, id: string, seconds: number): ShelvedMedia => ({
  kind: 'creative',
  key: url,
  id,
  seconds,
});

export const item = (origin: string, name: string, ...cuePoints: readonly object[]) => ({
  ...{ sourceType: 'url', url: `${origin}/${name}/manifest.m3u8`, cuePoints },
});

type Ads = Readonly<Record<string, { readonly ads: readonly GoldenAd[]; readonly after?: number }>>;

const ads: Ads = {
  // Two ads, with slate for the rest of the break, and one ad without a usable media file.
  main: {
    ads: [
      { id: 'm1', seconds: 5, file: 'five.mp4', sequence: 1 },
      { id: 'm2', seconds: 4, sequence: 2 },
      { id: 'm3', seconds: 3, file: 'three.mp4', sequence: 3 },
    ],
  },
  // Fills the break to the frame: a conditioned creative and an as-is creative.
  ntsc: {
    ads: [
      { id: 'n1', seconds: 6, file: 'asis.mp4', sequence: 1 },
      { id: 'n2', seconds: 4, file: 'four.mp4', sequence: 2 },
    ],
  },
  ts: { ads: [{ id: 't1', seconds: 6, file: 'six.mp4' }] },
  sound: { ads: [{ id: 's1', seconds: 7.4, file: 'seven.mp4' }] },
  // Arrives after the break has begun: the live edge waits for it.
  late: { ads: [{ id: 'l1', seconds: 5, file: 'five.mp4' }], after: 1800 },
  edited: { ads: [{ id: 'e1', seconds: 4, file: 'four.mp4' }] },
};

/** An as-is creative: its own segments match the channel's rungs. */
const asIs = (origin: string): Asset =>
  makeAsset(origin, {
    ...{ name: 'asis', rate: NTSC, pictures: TALL.slice(0, 1), sounds: [{ codecs: 'ac-3', channels: 6 }] },
    parts: [{ segments: [60, 60, 60], zero: 1 }],
  });

export function goldenWorld(origin: string): World {
  const made = (shapes: readonly Shape[]) => shapes.map((shape) => makeAsset(origin, shape)) as [Asset, ...Asset[]];
  const shelves = [
    {
      assets: made(main),
      media: [
        slate('51a70001'),
        spot('five.mp4', 'ad000005', 5),
        spot('three.mp4', 'ad000003', 3),
        bumper('https://creatives.test/intro.mp4', 'b0b00001', 1),
        bumper('https://creatives.test/outro.mp4', 'b0b00002', 1.4),
      ],
    },
    {
      assets: made(ntsc),
      media: [
        slate('51a70002'),
        { ...spot('asis.mp4', 'ad00a515', 6), asset: asIs(origin) },
        spot('four.mp4', 'ad000004', 4),
      ],
    },
    { assets: made(ts), media: [slate('51a70003'), spot('six.mp4', 'ad000006', 6)] },
    { assets: made(sound), media: [slate('51a70004'), spot('seven.mp4', 'ad000007', 7.4)] },
    { assets: made(silent), media: [slate('51a70005'), spot('five.mp4', 'ad0000a5', 5)] },
    { assets: made(edited), media: [slate('51a70006'), spot('four.mp4', 'ad0000a4', 4)] },
    { assets: made(mixed), media: [slate('51a70007')] },
  ];
  return {
    assets: shelves.flatMap(({ assets }) => assets),
    shelves,
    ads: Object.fromEntries(
      Object.entries(ads).map(([name, { ads: list, ...when }]) => [name, { vast: writeVast(origin, list), ...when }]),
    ),
  };
}

type GoldenChannel = {
  readonly id: string;
  readonly contents: readonly object[];
  readonly startDate?: string;
  readonly [field: string]: unknown;
};

/** Each channel with the contents of its playlist, which has the same id. */
export const channelsOf = (origin: string): GoldenChannel[] => [
  {
    ...{ id: 'main', playlistSize: 20, timeShiftWindow: 60, adSource: { url: `${origin}/ads/main` } },
    bumpers: { intro: 'https://creatives.test/intro.mp4', outro: 'https://creatives.test/outro.mp4' },
    contents: [
      item(origin, 'harbour', { spliceTime: 8, maxDuration: 20, maxAds: 3 }),
      item(origin, 'night', { spliceTime: 0, maxDuration: 12.5 }),
      item(origin, 'tide'),
    ],
  },
  {
    ...{ id: 'ntsc', playlistSize: 20, tracking: 'client', adSource: { url: `${origin}/ads/ntsc` } },
    contents: [item(origin, 'quay', { spliceTime: 10, maxDuration: 10.01 }), item(origin, 'fog')],
  },
  {
    ...{ id: 'ts', playlistSize: 15, adSource: { url: `${origin}/ads/ts` } },
    contents: [item(origin, 'pier', { spliceTime: 9, maxDuration: 8 })],
  },
  {
    ...{ id: 'sound', playlistSize: 20, adSource: { url: `${origin}/ads/sound` } },
    contents: [item(origin, 'radio', { spliceTime: 50, maxDuration: 10 })].map((one) => ({
      ...{ ...one, spliceType: 'percent', duration: 32.72 },
    })),
  },
  {
    ...{ id: 'silent', playlistSize: 20, announceAds: false, adSource: { url: `${origin}/ads/late` } },
    startDate: '2026-01-01T00:00:00.250Z',
    contents: [item(origin, 'mute', { spliceTime: 6, maxDuration: 9 })],
  },
  {
    ...{ id: 'edited', playlistSize: 20, adSource: { url: `${origin}/ads/edited` } },
    contents: [item(origin, 'dawn', { spliceTime: 4, maxDuration: 6 }), item(origin, 'noon')],
  },
  {
    // Without an adSource: its breaks are slate.
    ...{ id: 'mixed', playlistSize: 15 },
    contents: [item(origin, 'cinema', { spliceTime: 4, maxDuration: 5 }), item(origin, 'fast')],
  },
  {
    // VoD: a break before, two within and one after the items. The last cue point is past the end of its item.
    ...{ id: 'film', type: 'vod', adSource: { url: `${origin}/ads/main` } },
    bumpers: { intro: 'https://creatives.test/intro.mp4', outro: 'https://creatives.test/outro.mp4' },
    contents: [
      item(origin, 'harbour', { spliceTime: 0, maxDuration: 12 }, { spliceTime: 8, maxDuration: 20, maxAds: 3 }),
      item(origin, 'night', { spliceTime: 4 }),
      item(origin, 'tide', { spliceTime: -1, maxDuration: 8 }, { spliceTime: 500 }),
    ],
  },
];
