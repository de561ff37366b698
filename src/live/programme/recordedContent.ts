// SPDX-License-Identifier: Apache-2.0
// Live content in the schedule of a linear channel: slots of an origin, moved to the channel's clock, as they are stored in its
// editions.
import type { LiveSlot } from '../../channels/schedule/edition.ts';
import type { NonEmpty } from '../../invariant.ts';
import type { Flicks } from '../../time/units.ts';
import type { Clip } from '../../timeline/asset/clip.ts';
import { after, type Instant, type Stretch } from '../../timeline/programme/span.ts';
import type { RungSource } from '../feed.ts';
import { lengthOf, type Slot, type StretchOrigin } from '../slot.ts';
import { contentClip, stretchOrigin } from './contentClip.ts';

type OfFeed = {
  /** The life of the feed that was read. Its numbers and times mean nothing to another one. */
  readonly life: string;
};

export type RecordedContent = OfFeed & {
  readonly kind: 'content';
  /** Of the origin. */
  readonly url: string;
  /** The id of the feed's stretch. */
  readonly run: string;
  readonly slots: NonEmpty<Slot>;
  readonly origin: StretchOrigin;
  /** In the order of the channel's ladder. */
  readonly rungs: readonly RungSource[];
};

/** `until`: where the feed's content continues after the break, on the feed's clock. */
export type RecordedBreak = OfFeed & { readonly kind: 'break'; readonly until: Instant };

export type Recorded = RecordedContent | RecordedBreak;

/** Slots of a feed that begin on the channel's clock at `start`. @param before what they continue */
export function recordedAt(
  { life, url, run, rungs }: Omit<RecordedContent, 'kind' | 'slots' | 'origin'>,
  slots: NonEmpty<Slot>,
  start: Instant,
  before?: { readonly origin: StretchOrigin; readonly stretch: Stretch },
): { readonly source: RecordedContent; readonly stretch: Stretch; readonly duration: Flicks } {
  let at = start;
  const moved = slots.map((slot) => {
    const own = { ...slot, start: at };
    at = after(at, slot.duration);
    return own;
  }) as [Slot, ...Slot[]];
  const [first] = moved;
  const stretch = before?.stretch ?? { id: `live-${life.slice(0, 8)}-${first.number}`, start };
  const origin = before?.origin ?? stretchOrigin({ rungs }, first);
  return {
    source: { kind: 'content', life, url, run, slots: moved, origin, rungs },
    stretch,
    duration: lengthOf(slots) as Flicks,
  };
}

/** As it was stored: JSON has no undefined in lists. */
export function recordedClip({ source }: LiveSlot): Clip {
  const { url, rungs, slots, origin } = source as RecordedContent;
  const mediaTimes = origin.mediaTimes.map((time) => time ?? undefined);
  const clip = contentClip({ rungs }, slots, { ...origin, mediaTimes });
  return { ...clip, asset: { ...clip.asset, url } };
}
