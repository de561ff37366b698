// SPDX-License-Identifier: Apache-2.0
// The assets of each channel of the golden test.
import { grid, type Shape } from './assets.ts';

const PAL = { n: 25, d: 1 };
export const NTSC = { n: 30_000, d: 1001 };

export const TALL = [
  { width: 1280, height: 720 },
  { width: 640, height: 360 },
];
const TWO_LANGUAGES = [
  { language: 'en', name: 'English', isDefault: true },
  { language: 'de', name: 'Deutsch', bandwidth: 100_000, averageBandwidth: 96_000 },
];
const TEXTS = [
  { language: 'en', name: 'English', characteristics: 'public.accessibility.transcribes-spoken-dialog' },
  { language: 'de', name: 'Deutsch' },
  { language: 'de', name: 'Deutsch (erzwungen)', isForced: true },
];

/** 25 fps with one item of 29.97 fps; segments of odd lengths, audio on its own grid, two languages, subtitles, two parts. */
export const main: readonly Shape[] = [
  {
    ...{ name: 'harbour', rate: PAL, pictures: TALL, texts: TEXTS },
    sounds: TWO_LANGUAGES.map((sound) => ({ ...sound, every: 3.84 })),
    parts: [{ segments: grid(11, 48, 37) }],
  },
  {
    ...{ name: 'night', rate: NTSC, pictures: TALL, sounds: [{ language: 'en', sampleRate: 44_100 }] },
    parts: [{ segments: grid(6, 60, 25), zero: 3 }],
  },
  {
    ...{ name: 'tide', rate: PAL, pictures: TALL.slice(0, 1), sounds: TWO_LANGUAGES, texts: TEXTS.slice(1, 2) },
    parts: [{ segments: grid(5, 50) }, { segments: grid(4, 50, 30, 20), zero: 600 }],
  },
];

/** 29.97 fps: byte ranges, encryption, closed captions, late audio, an edit list that browsers ignore. */
export const ntsc: readonly Shape[] = [
  {
    ...{ name: 'quay', rate: NTSC, sounds: [{ language: 'en', codecs: 'ac-3', channels: 6 }] },
    pictures: [{ ...TALL[0]!, captions: [{ channel: 'CC1', language: 'en', name: 'Captions' }] }],
    parts: [
      { segments: grid(9, 60, 61) },
      {
        segments: grid(5, 60),
        zero: 20,
        track: (id) => ({
          ...(id.startsWith('audio') ? { lag: 900 } : {}),
          protection: {
            hls: [`METHOD=SAMPLE-AES,URI="skd://golden/${id}",KEYFORMAT="com.apple.streamingkeydelivery"`],
            dash: [
              '<ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cbcs" xmlns:cenc="urn:mpeg:cenc:2013" cenc:default_KID="00000000-0000-0000-0000-000000000001"/>',
            ],
          },
        }),
      },
    ],
    urls: (folder, borders) => ({
      kind: 'ranges',
      url: `${folder}media.mp4`,
      starts: Float64Array.from(borders.slice(1), (_, index) => 900 + index * 250_000),
      lengths: Float64Array.from(borders.slice(1), () => 250_000),
    }),
  },
  {
    ...{ name: 'fog', rate: NTSC, pictures: TALL.slice(0, 1), sounds: [{ codecs: 'ac-3', channels: 6 }] },
    parts: [{ segments: grid(5, 60), zero: 1, track: (id) => (id.startsWith('video') ? { ignoredDelay: 2002 } : {}) }],
    urls: (folder) => ({ kind: 'number', prefix: `${folder}part $ & ü `, suffix: '.m4s?a=1&b=2', first: 98, width: 5 }),
  },
];

/** MPEG-TS with video and audio in one file. */
export const ts: readonly Shape[] = [
  {
    ...{ name: 'pier', rate: PAL, container: 'ts' },
    pictures: TALL.map((picture) => ({
      ...picture,
      transport: {
        ...{ transportId: 1, program: 1, mapPid: 4096 },
        streams: [
          { kind: 'video' as const, pid: 256, streamId: 224 },
          { kind: 'audio' as const, pid: 257, streamId: 192 },
        ],
      },
    })),
    parts: [
      {
        segments: grid(7, 75, 40),
        zero: 10,
        track: () => ({ protection: { hls: ['METHOD=AES-128,URI="https://keys.test/1"'], firstIv: 7 } }),
      },
    ],
    urls: (folder) => ({ kind: 'number', prefix: `${folder}seg`, suffix: '.ts', first: 0, width: 3 }),
  },
];

/** Audio only, with times in the segment URLs. */
export const sound: readonly Shape[] = [
  {
    ...{ name: 'radio', rate: PAL, sounds: TWO_LANGUAGES.map((one) => ({ ...one, sampleRate: 44_100 })) },
    parts: [{ segments: grid(8, 96, 50) }],
    urls: (folder) => ({ kind: 'time', prefix: `${folder}t`, suffix: '.m4s', width: 1 }),
  },
];

const join = (names: readonly string[]) => ({
  names: names.join(''),
  ends: Uint32Array.from(names.map((_, index) => names.slice(0, index + 1).join('').length)),
});

/** Video only; each rendition has another kind of segment URLs. */
export const silent: readonly Shape[] = [
  {
    ...{ name: 'mute', rate: PAL, pictures: [...TALL, { width: 320, height: 180 }] },
    parts: [{ segments: grid(6, 50, 75, 13) }],
    urls: (folder, borders) => {
      const indexes = Array.from(borders.slice(1), (_, index) => index);
      const list = { kind: 'list' as const, prefix: folder, ...join(indexes.map((index) => `s${index * 7}.m4s`)) };
      if (folder.includes('video0')) return list;
      if (folder.includes('video1')) return { kind: 'time', prefix: folder, suffix: '.m4s', width: 9 };
      const starts = Float64Array.from(indexes, (index) => (index % 2) * 4000);
      return { kind: 'pieces', of: list, starts, lengths: Float64Array.from(indexes, (index) => 4000 * (index % 3)) };
    },
  },
];

/** The assets of the playlist that is edited on air. */
export const edited: readonly Shape[] = ['dawn', 'noon', 'dusk'].map((name, index) => ({
  ...{ name, rate: PAL, pictures: TALL.slice(0, 1), sounds: [{ language: 'en' }] },
  parts: [{ segments: grid(6 + index, 50, 25 + index) }],
}));

/** 23.976 and 50 fps. The origin loses the second asset. */
export const mixed: readonly Shape[] = [
  {
    ...{ name: 'cinema', rate: { n: 24_000, d: 1001 }, pictures: TALL.slice(0, 1), sounds: [{ language: 'en' }] },
    parts: [{ segments: grid(5, 48, 31) }],
  },
  {
    ...{ name: 'fast', rate: { n: 50, d: 1 }, pictures: TALL.slice(0, 1), sounds: [{ sampleRate: 44_100 }] },
    parts: [{ segments: grid(6, 100, 63) }],
  },
];
