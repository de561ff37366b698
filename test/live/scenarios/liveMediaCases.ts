// SPDX-License-Identifier: Apache-2.0
import type { LiveBreakCase } from './liveBreakCases.ts';

const hlsOnly = { dash: false };
const dashOnly = { hls: false, opens: 'dash' } as const;

const cases: readonly LiveBreakCase[] = [
  {
    name: 'muxed MPEG-TS with AES-128, whose key changes, and WebVTT',
    origin: { hlsMarkers: 'cue', packaging: 'muxed', encryption: { rotation: 5 }, subtitles: 'vtt' },
    breaks: { behaviour: 'exact' },
    watching: hlsOnly,
  },
  {
    name: 'CMAF with AES-128, stated IVs, and languages',
    origin: {
      hlsMarkers: 'cue',
      packaging: 'cmaf',
      encryption: { rotation: 3, isIvStated: true, coversInit: true },
      languages: ['en', 'sv'],
      subtitles: 'vtt',
    },
    breaks: { behaviour: 'early' },
    watching: hlsOnly,
  },
  {
    name: 'CMAF with AES-128, no stated IVs',
    origin: { hlsMarkers: 'cue', packaging: 'cmaf', encryption: {} },
    breaks: { behaviour: 'exact' },
    watching: hlsOnly,
  },
  {
    name: 'CMAF with byte ranges and WebVTT',
    origin: { hlsMarkers: 'cue', packaging: 'cmaf', byteRanges: true, subtitles: 'vtt' },
    breaks: { behaviour: 'exact' },
    watching: hlsOnly,
  },
  {
    name: 'MPEG-TS with separate sound of 1.92 s, without dates',
    origin: { hlsMarkers: 'cue', packaging: 'ts', media: 'aligned', dates: 'none', languages: ['en', 'fr'] },
    breaks: { behaviour: 'exact' },
    watching: hlsOnly,
  },
  {
    name: 'CMAF with TTML, in both formats',
    origin: { hlsMarkers: 'cue', subtitles: 'stpp', languages: ['en', 'sv'] },
    breaks: { behaviour: 'exact' },
  },
  ...(['wvtt', 'stpp'] as const).map(
    (subtitles): LiveBreakCase => ({
      name: `an MPD with ${subtitles}`,
      origin: { dashMarkers: 'xml', subtitles, loops: 'discontinuity' },
      breaks: { behaviour: 'early' },
      takes: 'dash',
      watching: dashOnly,
    }),
  ),
  {
    name: 'CMAF with 29.97 fps',
    origin: { hlsMarkers: 'cue', dashMarkers: 'xml', media: 'ntsc' },
    breaks: { behaviour: 'exact' },
    takes: 'both',
  },
  {
    name: 'MPEG-TS with 29.97 fps',
    origin: { hlsMarkers: 'cue', packaging: 'muxed', media: 'ntsc' },
    breaks: { behaviour: 'early' },
    watching: hlsOnly,
  },
  {
    name: 'CMAF with 44.1 kHz',
    origin: { hlsMarkers: 'cue', media: 'cd' },
    breaks: { behaviour: 'exact' },
  },
  {
    name: 'MPEG-TS with 44.1 kHz',
    origin: { hlsMarkers: 'cue', packaging: 'ts', media: 'cd' },
    breaks: { behaviour: 'exact' },
    watching: hlsOnly,
  },
  {
    name: 'CMAF with AC-3',
    origin: { hlsMarkers: 'cue', media: 'surround' },
    breaks: { behaviour: 'exact' },
  },
  {
    name: 'MPEG-TS with AC-3',
    origin: { hlsMarkers: 'cue', packaging: 'muxed', media: 'surround' },
    breaks: { behaviour: 'exact' },
    watching: hlsOnly,
  },
  {
    name: 'CMAF with HEVC',
    origin: { hlsMarkers: 'cue', media: 'hevc' },
    breaks: { behaviour: 'exact' },
  },
];

export const liveMediaCases: readonly LiveBreakCase[] = cases.map((one) => ({ ...one, isDecoded: true }));
