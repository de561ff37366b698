// SPDX-License-Identifier: Apache-2.0
import type { LiveBreakCase } from './liveBreakCases.ts';

const hlsOnly = { dash: false };

export const liveMediaCases: readonly LiveBreakCase[] = [
  {
    name: 'muxed MPEG-TS with AES-128, whose key changes, and WebVTT',
    origin: { hlsMarkers: 'cue', packaging: 'muxed', encryption: { rotation: 5 }, subtitles: true },
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
      subtitles: true,
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
    origin: { hlsMarkers: 'cue', packaging: 'cmaf', byteRanges: true, subtitles: true },
    breaks: { behaviour: 'exact' },
    watching: hlsOnly,
  },
  {
    name: 'MPEG-TS with separate sound of 1.92 s, without dates',
    origin: { hlsMarkers: 'cue', packaging: 'ts', segmentMs: 1920, dates: 'none', languages: ['en', 'fr'] },
    breaks: { behaviour: 'exact' },
    watching: hlsOnly,
  },
];
