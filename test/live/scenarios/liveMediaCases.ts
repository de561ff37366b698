// SPDX-License-Identifier: Apache-2.0
import type { LiveBreakCase } from './liveBreakCases.ts';

const hlsOnly = { dash: false };
const dashOnly = { hls: false, opens: 'dash' } as const;

type MediaCase = Omit<LiveBreakCase, 'breaks'> & Partial<Pick<LiveBreakCase, 'breaks'>>;

const cases: readonly MediaCase[] = [
  {
    name: 'muxed MPEG-TS with AES-128, whose key changes, and WebVTT',
    origin: { hlsMarkers: 'cue', packaging: 'muxed', encryption: { rotation: 5 }, subtitles: 'vtt' },
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
    watching: hlsOnly,
  },
  {
    name: 'CMAF with byte ranges and WebVTT',
    origin: { hlsMarkers: 'cue', packaging: 'cmaf', byteRanges: true, subtitles: 'vtt' },
    watching: hlsOnly,
  },
  {
    name: 'MPEG-TS with separate sound of 1.92 s, without dates',
    origin: { hlsMarkers: 'cue', packaging: 'ts', media: 'aligned', dates: 'none', languages: ['en', 'fr'] },
    watching: hlsOnly,
  },
  {
    name: 'CMAF with TTML, in both formats',
    origin: { hlsMarkers: 'cue', subtitles: 'stpp', languages: ['en', 'sv'] },
  },
  ...(['wvtt', 'stpp'] as const).map(
    (subtitles): MediaCase => ({
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
    takes: 'both',
  },
  {
    name: 'MPEG-TS with 29.97 fps',
    origin: { hlsMarkers: 'cue', packaging: 'muxed', media: 'ntsc' },
    breaks: { behaviour: 'early' },
    watching: hlsOnly,
  },
  { name: 'CMAF with 44.1 kHz', origin: { hlsMarkers: 'cue', media: 'cd' } },
  { name: 'MPEG-TS with 44.1 kHz', origin: { hlsMarkers: 'cue', packaging: 'ts', media: 'cd' }, watching: hlsOnly },
  { name: 'CMAF with AC-3', origin: { hlsMarkers: 'cue', media: 'surround' } },
  {
    name: 'MPEG-TS with AC-3',
    origin: { hlsMarkers: 'cue', packaging: 'muxed', media: 'surround' },
    watching: hlsOnly,
  },
  { name: 'CMAF with HEVC', origin: { hlsMarkers: 'cue', media: 'hevc' } },
];

export const liveMediaCases: readonly LiveBreakCase[] = cases.map((one) => ({
  breaks: { behaviour: 'exact' },
  ...one,
  isDecoded: true,
}));
