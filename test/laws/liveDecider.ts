// SPDX-License-Identifier: Apache-2.0
// Decides the breaks of a synthetic live channel at random. A seed reproduces the decisions.
import { decidedFor } from '../../src/ads/placement/personalise.ts';
import type { Airing } from '../../src/playback/onAir/airing.ts';
import type { BreakDecider } from '../../src/playback/view/view.ts';
import { DECISION_TIMEOUT_MS, type OwnBreak } from '../../src/playback/viewers/breaks.ts';
import type { Viewer } from '../../src/playback/viewers/viewers.ts';
import { breakOf } from '../../src/timeline/programme/span.ts';
import { randomPod } from './randomDecider.ts';
import { decideOn } from './syntheticChannel.ts';

/** Decides at once, late or never; what it decides is stored for all nodes. */
export function liveDecider(random: () => number, all: readonly Viewer[]): BreakDecider {
  const readyAt = new Map<string, number>();
  const record = (airing: Airing, viewer: Viewer, { span, joined }: OwnBreak, hasAds: boolean) => {
    const { id, frames } = span.break!;
    if (decidedFor(viewer.choices.decided, id) !== undefined) return;
    if (viewer.state.decisions.some(({ breakId }) => breakId === id)) return;
    const first = joined > 0 && span.break!.live?.fill !== 'content' ? 1 : 0;
    const ads = hasAds ? randomPod(frames - joined, airing.ladder.frameRate, random, id, first) : [];
    const decision = { breakId: id, startsAt: breakOf(span)!.startsAt, joined, ads };
    for (const one of all) decideOn(airing, one, span, decision);
  };
  return {
    begin(airing, viewer, own, now) {
      const { id } = own.span.break!;
      if (!readyAt.has(id)) readyAt.set(id, random() < 0.7 ? now : own.due + Math.floor(random() * 4000));
      if (now >= readyAt.get(id)!) record(airing, viewer, own, true);
    },
    async settle(airing, viewer, due, now) {
      for (const own of due) {
        // A first playlist waits for the ads before the content.
        if (own.isJoin) record(airing, viewer, own, random() < 0.8);
        else if (now >= own.due + DECISION_TIMEOUT_MS) record(airing, viewer, own, false);
      }
    },
  };
}
