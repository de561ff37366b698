// SPDX-License-Identifier: Apache-2.0
// Composes what reads live origins before they are on air.
import { analyseOrigin, type SampleOrigin } from '../ingest/live/analyseOrigin.ts';
import { createDashSampler } from '../ingest/live/dash/sampleDashOrigin.ts';
import type { Origin } from '../ingest/ports.ts';
import type { AnalyseOrigin } from '../planning/live/planLiveChannel.ts';
import type { Clock } from '../time/clock.ts';

const unread: SampleOrigin = async () => ({ refused: 'live origins cannot be read yet' });

export const composeOrigins =
  (origin: Origin, { now }: Clock): AnalyseOrigin =>
  (url, segmentationTypes) =>
    analyseOrigin({ origin, now, sample: { hls: unread, dash: createDashSampler(now) } }, url, segmentationTypes);
