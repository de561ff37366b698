// A pod between the channel's bumpers: they are shown whole or not at all, and never without an ad between them.
import { shortestSlate } from '../../timeline/frameGrid.ts';
import type { Bumper } from '../placement/decision.ts';
import { fitPod, type Pod, type PodRequest } from './fitPod.ts';

export type Bumpers = { readonly intro?: Bumper; readonly outro?: Bumper };

/** Ads, bumpers and `slateFrames` are the break, to the frame. */
export type FramedPod = Pod & Bumpers;

export const bumperFrames = ({ intro, outro }: Bumpers): number => (intro?.frames ?? 0) + (outro?.frames ?? 0);

/** Bumpers that leave no room for any of the ads are left out. */
export function fitFramedPod(order: PodRequest, bumpers: Bumpers): FramedPod {
  const breakFrames = order.breakFrames - bumperFrames(bumpers);
  if (breakFrames < shortestSlate(order.rate)) return fitPod(order);
  const pod = fitPod({ ...order, breakFrames });
  return pod.ads.length > 0 ? { ...pod, ...bumpers } : fitPod(order);
}
