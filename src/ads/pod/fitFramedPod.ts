// SPDX-License-Identifier: Apache-2.0
// Fits a pod between the channel's bumpers. Bumpers are shown whole or not at all, and never without an ad.
import { minSlateFrames } from '../../timeline/asset/frameGrid.ts';
import type { Bumper } from '../placement/decision.ts';
import { fitPod, type Pod, type PodRequest } from './fitPod.ts';

export type Bumpers = { readonly intro?: Bumper; readonly outro?: Bumper };

/** Ads, bumpers and `slateFrames` add up to the break (law 5), or to no more than its limit if it is inserted. */
export type FramedPod = Pod & Bumpers;

export const bumperFrames = ({ intro, outro }: Bumpers): number => (intro?.frames ?? 0) + (outro?.frames ?? 0);

/** The bumpers are omitted when they leave no space for an ad. */
export function fitFramedPod(order: PodRequest, bumpers: Bumpers): FramedPod {
  const breakFrames = order.breakFrames - bumperFrames(bumpers);
  if (breakFrames < minSlateFrames(order.rate)) return fitPod(order);
  const pod = fitPod({ ...order, breakFrames });
  return pod.ads.length > 0 ? { ...pod, ...bumpers } : fitPod(order);
}
