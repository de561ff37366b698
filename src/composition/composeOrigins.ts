// SPDX-License-Identifier: Apache-2.0
// Composes what reads live origins before they are on air.
import { analyseOrigin } from '../ingest/live/analyseOrigin.ts';
import { createDashSampler } from '../ingest/live/dash/sampleDashOrigin.ts';
import { sampleHlsOrigin } from '../ingest/live/hls/sampleHlsOrigin.ts';
import type { Origin } from '../ingest/ports.ts';
import type { AnalyseOrigin } from '../planning/live/planLiveChannel.ts';
import type { Clock } from '../time/clock.ts';

export const composeOrigins =
  (origin: Origin, { now }: Clock): AnalyseOrigin =>
  (url, segmentationTypes, decode) =>
    analyseOrigin(
      { origin, now, sample: { hls: sampleHlsOrigin, dash: createDashSampler(now) } },
      url,
      segmentationTypes,
      decode,
    );
