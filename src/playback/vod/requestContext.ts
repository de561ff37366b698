// SPDX-License-Identifier: Apache-2.0
// The context of the ad requests of a VoD session.
import type { Channel } from '../../channels/channel.ts';
import { type Flicks, flicksToSeconds } from '../../time/units.ts';
import { applyResume } from '../../vod/applyResume.ts';
import type { BreakPlan, PlannedBreak } from '../../vod/breakPlan.ts';
import { contentTimeOf } from '../../vod/contentClock.ts';
import { type AdRequestContext, DEFAULT_TIMEOUT_MS } from '../request/requestAds.ts';
import type { VodViewer } from './vodViewer.ts';

/** What all requests of a session have in common. */
export type RequestFacts = {
  readonly channel: Channel;
  readonly viewer: VodViewer;
  /** Milliseconds until no response is of use. */
  readonly timeoutMs: number;
  /** Seconds that bumpers take from each break. */
  readonly reserved: number;
};

/** @returns undefined if the channel has no ad server */
export function contextOf(
  { channel, viewer, timeoutMs, reserved }: RequestFacts,
  plan: BreakPlan,
  planned: Pick<PlannedBreak, 'id' | 'at' | 'duration' | 'maxAds'>,
): AdRequestContext | undefined {
  const { adSource } = channel;
  if (adSource === undefined) return undefined;
  const { session, title } = viewer;
  const { id, at, duration, maxAds } = planned;
  const contentTime = flicksToSeconds(contentTimeOf(plan, at));
  return {
    source: { ...adSource, timeoutMs: Math.min(adSource.timeoutMs ?? DEFAULT_TIMEOUT_MS, timeoutMs) },
    session,
    adBreak: {
      id,
      startsAt: session.openedAt,
      duration: Math.max(0, duration - reserved),
      position: positionKind(at, title.duration),
      contentTime,
      ...(maxAds === undefined ? {} : { maxAds }),
    },
  };
}

export const positionKind = (at: Flicks, end: Flicks) => (at === 0 ? 'pre' : at >= end ? 'post' : 'mid');

/** Why no ads are requested without an ad server. */
export const NO_AD_SERVER = { code: 'NO_AD_SERVER', text: 'The channel has no adSource, so no ads were requested.' };

/** The plan for a viewer who resumes. */
export function resumedPlan({ channel, viewer: { session, title } }: RequestFacts, plan: BreakPlan): BreakPlan {
  const resumeAt = session.vod?.resumeAt;
  return resumeAt === undefined ? plan : applyResume(plan, title, resumeAt, channel.resumePolicy ?? 'play');
}
