// SPDX-License-Identifier: Apache-2.0
import type { Rendition } from '../../timeline/asset/asset.ts';

export type SegmentRate = { readonly bits: number; readonly seconds: number };

/** The peak and average segment bit rate (RFC 8216 §4.3.4.2), in bit/s, rounded up; 0 without segments. */
export function segmentRates(segments: readonly SegmentRate[]): Pick<Rendition, 'bandwidth' | 'averageBandwidth'> {
  const bits = segments.reduce((sum, each) => sum + each.bits, 0);
  const seconds = segments.reduce((sum, each) => sum + each.seconds, 0);
  const peak = segments.reduce((most, each) => Math.max(most, each.bits / each.seconds), 0);
  return { bandwidth: Math.ceil(peak), averageBandwidth: Math.ceil(bits / (seconds || 1)) };
}
