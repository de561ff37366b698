// SPDX-License-Identifier: Apache-2.0
// The context of the ad requests of a VoD session.
import type { BreakPosition } from '../../ads/record/breakRecord.ts';
import type { VodChannel } from '../../channels/channel.ts';
import { type Millis, millis } from '../../time/units.ts';
import { applyResume } from '../../vod/applyResume.ts';
import type { BreakPlan, PlannedBreak } from '../../vod/breakPlan.ts';
import { type AdRequestContext, DEFAULT_TIMEOUT_MS } from '../request/requestAds.ts';
import type { VodViewer } from './vodViewer.ts';

/** What all requests of a session have in common. */
export type RequestFacts = {
  readonly channel: VodChannel;
  readonly viewer: VodViewer;
  /** Milliseconds until no response is of use. */
  readonly timeoutMs: number;
  /** Seconds that bumpers take from each break. */
  readonly reserved: number;
};

/** @returns undefined if the channel has no ad server */
export function contextOf(
  { channel, viewer, timeoutMs, reserved }: RequestFacts,
  planned: Pick<PlannedBreak, 'id' | 'duration' | 'maxAds'>,
  { kind, contentTime }: Pick<BreakPosition, 'kind' | 'contentTime'>,
): AdRequestContext | undefined {
  const { adSource } = channel;
  if (adSource === undefined) return undefined;
  const { session } = viewer;
  const { id, duration, maxAds } = planned;
  return {
    source: { ...adSource, timeoutMs: Math.min(adSource.timeoutMs ?? DEFAULT_TIMEOUT_MS, timeoutMs) },
    session,
    adBreak: {
      id,
      startsAt: session.openedAt,
      duration: Math.max(0, duration - reserved),
      position: kind,
      contentTime,
      ...(maxAds === undefined ? {} : { maxAds }),
    },
  };
}

/** Why no ads are requested without an ad server. */
export const NO_AD_SERVER = { code: 'NO_AD_SERVER', text: 'The channel has no adSource, so no ads were requested.' };

/** The plan for a viewer who resumes. */
export function resumedPlan({ channel, viewer: { session, title } }: RequestFacts, plan: BreakPlan): BreakPlan {
  const resumeAt = session.vod.resumeAt;
  return resumeAt === undefined ? plan : applyResume(plan, title, resumeAt, channel.resumePolicy ?? 'play');
}

/** Why there are no ads after a request that failed with an exception. Operators find the error in the log. */
export const REQUEST_FAILED = {
  code: 'DECISION_FAILED',
  text: 'Requesting its ads failed because of an internal error; the log contains it.',
};

export const logFailure = (
  { viewer: { session } }: RequestFacts,
  breakId: string,
  error: unknown,
  log: (message: string, facts: Record<string, unknown>) => void,
): void => log('failed to request the ads of a VoD session', { sessionId: session.id, breakId, error });

/** When the last retry of an ad request may start, so that it has at least half of the time that the request had. */
export const lastRetryAt = ({ source: { timeoutMs = 0 } }: Pick<AdRequestContext, 'source'>, now: Millis): Millis =>
  millis(now + Math.floor(timeoutMs / 2));
