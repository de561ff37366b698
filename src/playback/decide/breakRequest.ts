// SPDX-License-Identifier: Apache-2.0
// What a break of a linear or live channel requests of the ad server, and the part of it that ads may fill.
import { flicksToSeconds, framesToFlicks } from '../../time/units.ts';
import type { Airing } from '../onAir/airing.ts';
import type { AdRequestContext } from '../request/requestAds.ts';
import type { OwnBreak } from '../viewers/breaks.ts';
import type { Viewer } from '../viewers/viewers.ts';
import type { PodBreak } from './choosePod.ts';

/** @param reserved frames that are not available to ads */
export function breakRequest(
  { channel, ladder }: Airing,
  { session }: Viewer,
  { span, due }: OwnBreak,
  reserved: number,
): AdRequestContext {
  const { id, frames, maxAds } = span.break!;
  const duration = flicksToSeconds(framesToFlicks(Math.max(0, frames - reserved), ladder.frameRate));
  const adBreak = { id, startsAt: due, duration, ...(maxAds === undefined ? {} : { maxAds }) };
  return { source: channel.adSource!, session, adBreak };
}

export const podBreakOf = ({ span, joined }: OwnBreak): PodBreak => {
  const { frames, maxAds } = span.break!;
  return { breakFrames: frames - joined, ...(maxAds === undefined ? {} : { maxAds }) };
};
