// SPDX-License-Identifier: Apache-2.0
// Decides the breaks of a synthetic channel at random: immediately, late or never. A seed reproduces the decisions.
import { decidedFor } from '../../src/ads/placement/personalise.ts';
import type { BreakDecider } from '../../src/playback/view/view.ts';
import { DECISION_TIMEOUT_MS, type OwnBreak } from '../../src/playback/viewers/breaks.ts';
import type { Viewer } from '../../src/playback/viewers/viewers.ts';
import type { FrameRate } from '../../src/time/units.ts';
import { minSlateFrames } from '../../src/timeline/asset/frameGrid.ts';
import { spanStart } from '../../src/timeline/programme/span.ts';
import { decide, type SyntheticChannel } from './syntheticChannel.ts';

/** Random ads, numbered from `first`, possibly none. They fill the break or leave enough for slate. */
export function randomPod(frames: number, rate: FrameRate, random: () => number, name: string, first: number) {
  const ads = [];
  let left = frames;
  while (random() > 0.25 && left > 2 * minSlateFrames(rate)) {
    let length = Math.max(minSlateFrames(rate), Math.floor(random() * left));
    if (left - length < minSlateFrames(rate)) length = left;
    ads.push({
      adId: `${name}-${first + ads.length}`,
      mediaId: `m${Math.floor(random() * 5)}x${length}`,
      frames: length,
    });
    left -= length;
  }
  return ads;
}

/** Some breaks are decided immediately, some while the live edge waits, some never. */
export function randomDecider(channel: () => SyntheticChannel, random: () => number): BreakDecider {
  const readyAt = new Map<string, number>();
  const decideAs = (viewer: Viewer, { span, joined }: OwnBreak, hasAds: boolean) => {
    const { id, frames } = span.break!;
    const ads = hasAds ? randomPod(frames - joined, channel().ladder.frameRate, random, id, joined > 0 ? 1 : 0) : [];
    decide(channel(), viewer, span, { breakId: id, startsAt: spanStart(span), joined, ads });
  };
  return {
    begin(_airing, viewer, own, now) {
      const { id } = own.span.break!;
      if (!readyAt.has(id)) readyAt.set(id, random() < 0.7 ? now : own.due + Math.floor(random() * 4000));
      if (now >= readyAt.get(id)!) decideAs(viewer, own, true);
    },
    async settle(_airing, viewer, due, now) {
      for (const own of due) {
        const isLate =
          now >= own.due + DECISION_TIMEOUT_MS && decidedFor(viewer.choices.decided, own.span.break!.id) === undefined;
        if (isLate) decideAs(viewer, own, false);
      }
    },
  };
}
