// SPDX-License-Identifier: Apache-2.0
// Decides all breaks of a VoD session at once: plans them if the ad server names them, requests ads in parallel, waits for
// creatives until the budget is spent, and fits the pods. Every failure leaves out one break, with the reason in its record.

import type { StitchedAd } from '../../ads/placement/decision.ts';
import { bumperFrames } from '../../ads/pod/fitFramedPod.ts';
import type { ErrorBeacon } from '../../ads/record/adRequestOutcome.ts';
import { isPreview } from '../../ads/request/preview.ts';
import type { Channel } from '../../channels/channel.ts';
import { flicksToSeconds, framesToFlicks, millis } from '../../time/units.ts';
import { resumeBreakOf } from '../../vod/applyResume.ts';
import type { Frozen, FrozenBreak } from '../../vod/frozen.ts';
import { layOut, type Presentation } from '../../vod/layOut.ts';
import { channelBumpers } from '../decide/channelBumpers.ts';
import type { RecordedBreak } from '../decide/recordedBreak.ts';
import type { AdRequestContext } from '../request/requestAds.ts';
import { type FitDeps, type FittedBreak, fitBreaks } from './fitBreaks.ts';
import { recordBreaks } from './recordBreaks.ts';
import { type RequestBreaksDeps, requestBreaks } from './requestBreaks.ts';
import { budgetOf, type DecidePresentation, type VodViewer } from './vodViewer.ts';

export type PresentationDeciderDeps = FitDeps &
  RequestBreaksDeps & {
    readonly callErrorUrls: (errors: readonly ErrorBeacon[], context: AdRequestContext) => void;
    /** Called with the ads that a viewer will be shown, once the presentation is stored. */
    readonly onDecided?: (channel: Channel, ads: readonly StitchedAd[]) => void;
    /** For reports. */
    readonly onRecorded?: (recorded: RecordedBreak) => void;
  };

/** The end of the budget: laying out and storing the presentation. */
const FREEZE_MS = 150;

const frozenBreaks = (fitted: readonly FittedBreak[]): FrozenBreak[] =>
  fitted.flatMap(({ planned: { id, at, until }, shown }) =>
    shown.ads.length === 0 && until === undefined
      ? []
      : [{ id, at, ...(until === undefined ? {} : { until }), ...shown }],
  );

export function createPresentationDecider(deps: PresentationDeciderDeps): DecidePresentation {
  function report(
    channel: Channel,
    viewer: VodViewer,
    fitted: readonly FittedBreak[],
    recorded: ReturnType<typeof recordBreaks>,
  ) {
    const { ladder } = viewer.title;
    fitted.forEach(({ planned, shown, errors, context, conditionCopies }) => {
      const one = recorded.find(({ record }) => record.id === planned.id)!;
      const decision = { breakId: planned.id, startsAt: Date.parse(one.record.startsAt), joined: 0, ...shown };
      if (!isPreview(viewer.session))
        deps.onRecorded?.({ airing: { channel, ladder }, place: one.place, decision, record: one.record });
      deps.onDecided?.(channel, shown.ads);
      conditionCopies();
      // With client-side tracking the server calls no URL.
      if (context !== undefined && channel.tracking !== 'client') deps.callErrorUrls(errors, context);
    });
  }

  return async (channel, viewer) => {
    const { session, title } = viewer;
    const vod = session.vod!;
    const timeoutMs = budgetOf(channel) - FREEZE_MS;
    const closeAt = millis(deps.now() + timeoutMs);
    const { bumpers, warnings } = channelBumpers({ channel, ladder: title.ladder }, false, deps.library);
    const reserved = flicksToSeconds(framesToFlicks(bumperFrames(bumpers), title.ladder.frameRate));
    const facts = { channel, viewer, reserved, timeoutMs };
    const { plan, requested, document, unshown } = await requestBreaks(facts, deps);
    const fitted = await fitBreaks({ channel, ladder: title.ladder }, requested, { bumpers, warnings }, closeAt, deps);
    const resumeBreak = vod.resumeAt === undefined ? undefined : resumeBreakOf(plan, title, vod.resumeAt);
    const frozen: Frozen = { breaks: frozenBreaks(fitted), ...(resumeBreak === undefined ? {} : { resumeBreak }) };
    const presentation: Presentation = layOut(title, frozen, viewer.clips, session.openedAt);
    const recorded = recordBreaks(title, plan, fitted, presentation, session.openedAt, document);
    return {
      frozen,
      records: recorded.map(({ record }) => record),
      onFrozen() {
        report(channel, viewer, fitted, recorded);
        // With client-side tracking the server calls no URL.
        if (unshown !== undefined && channel.tracking !== 'client') deps.callErrorUrls(unshown.errors, unshown.context);
      },
    };
  };
}
