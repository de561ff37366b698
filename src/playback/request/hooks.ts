// SPDX-License-Identifier: Apache-2.0
// Calls the hooks of a channel: before each request to an ad source, and after the responses of all steps. A hook may only improve a
// break: when it fails in any way, the request or the ads stay as they were, and the trace states why.
import type { NoAdsReason, StepsOutcome, TracedHook } from '../../ads/record/breakRecord.ts';
import type { AdHooks } from '../../channels/demand.ts';
import { adsHookBody, applyAdsAnswer } from '../../demand/hooks/adsHook.ts';
import { HOOK_TIMEOUT_MS, readHookAnswer } from '../../demand/hooks/hookAnswer.ts';
import type { SendHook } from '../../demand/hooks/ports.ts';
import {
  applyRequestAnswer,
  type HookedRequest,
  type RequestHookFacts,
  requestHookBody,
} from '../../demand/hooks/requestHook.ts';
import { withoutUndefined } from '../../invariant.ts';
import type { Timers } from '../../time/clock.ts';
import type { StepsDemand } from './demand.ts';
import { declaredFree, type StepsRequest } from './requestSteps.ts';

type Called = Pick<TracedHook, 'ms' | 'status'>;

export type BeforeRequest<Built> =
  | { readonly kind: 'send'; readonly built: Built; readonly trace?: TracedHook }
  | { readonly kind: 'skip'; readonly reason: string; readonly trace: TracedHook };

const ALL_DROPPED: NoAdsReason = { code: 'NO_AD_SHOWN', text: 'The hook of the channel (adsUrl) dropped all ads.' };

const sentence = (clause: string): string => `The hook ${clause}.`;

export function createHooks(send: SendHook, timers: Timers) {
  /** @returns the fields of the answer, or what went wrong, after the name of the hook */
  async function call(url: string, hooks: AdHooks, body: string, timeLeftMs: number) {
    const { timeoutMs = HOOK_TIMEOUT_MS, secret } = hooks;
    const limit = Math.floor(Math.min(timeoutMs, timeLeftMs));
    if (limit < 1) return { called: { ms: 0 }, answer: 'was not called, because no time was left' };
    const reply = await send({ url, body, timeoutMs: limit, ...withoutUndefined({ secret }) });
    const called: Called = { ms: reply.ms, ...withoutUndefined({ status: reply.status }) };
    return { called, answer: reply.ok ? readHookAnswer(reply.bytes) : reply.reason };
  }

  return {
    /**
     * @param built the request, and what a trace shows of it; the same object if nothing changes
     * @param timeLeftMs until the deadline of the request
     */
    async beforeRequest<Built extends HookedRequest>(
      hooks: AdHooks,
      facts: RequestHookFacts,
      built: Built,
      timeLeftMs: number,
    ): Promise<BeforeRequest<Built>> {
      if (hooks.requestUrl === undefined) return { kind: 'send', built };
      const body = requestHookBody(facts, built.request);
      const { called, answer } = await call(hooks.requestUrl, hooks, body, timeLeftMs);
      const trace = { hook: 'request', ...called } as const;
      if (typeof answer === 'string')
        return { kind: 'send', built, trace: { ...trace, error: sentence(answer), changes: [] } };
      const applied = applyRequestAnswer(built, answer);
      switch (applied.kind) {
        case 'send':
          return { kind: 'send', built: applied.built, trace: { ...trace, changes: applied.changes } };
        case 'skip':
          return { ...applied, trace: { ...trace, changes: ['Skipped the request.'] } };
        case 'ignored':
          return { kind: 'send', built, trace: { ...trace, error: sentence(applied.fault), changes: [] } };
      }
    },
    /** @param timeLeft milliseconds until ads must be chosen @returns the same object if nothing is called */
    async afterAnswers(
      { session, adBreak, freeAfter = declaredFree(adBreak) }: StepsRequest,
      { hooks = {} }: Pick<StepsDemand, 'hooks'>,
      joined: StepsOutcome,
      timeLeft: number,
    ): Promise<StepsOutcome> {
      if (hooks.adsUrl === undefined) return joined;
      const until = timers.elapsed() + timeLeft;
      const { duration: free } = await freeAfter(joined.ads, joined.variables);
      const body = adsHookBody({ session, adBreak, free }, joined.ads);
      const { called, answer } = await call(hooks.adsUrl, hooks, body, until - timers.elapsed());
      const trace = { hook: 'ads', ...called } as const;
      if (typeof answer === 'string') return { ...joined, adsHook: { ...trace, error: sentence(answer), changes: [] } };
      const { ads, dropped, changes, faults } = applyAdsAnswer(joined.ads, answer);
      const error = faults.length === 0 ? undefined : faults.map(sentence).join(' ');
      const { reason = ALL_DROPPED, ...rest } = joined;
      return {
        ...rest,
        ads,
        dropped: [...joined.dropped, ...dropped],
        adsHook: { ...trace, changes, ...withoutUndefined({ error }) },
        ...(ads.length === 0 ? { reason } : {}),
      };
    },
  };
}
