// SPDX-License-Identifier: Apache-2.0
// The presentation of one VoD session: its title and its frozen breaks, laid out as spans. The same values give the same spans
// on every node (law 8).
import { type ClipMaker, soundOf } from '../ads/placement/breakClips.ts';
import { type Bumper, clipIdOf, type Decision, type StitchedAd } from '../ads/placement/decision.ts';
import { sharedTrackedClip } from '../ads/placement/trackedClip.ts';
import { noMemos } from '../cache/memo.ts';
import { FLICKS_PER_SECOND, type Flicks, flicks, type Millis } from '../time/units.ts';
import type { Clip } from '../timeline/asset/clip.ts';
import { after, type BreakPlace, clockAt, type Instant, place, type Span } from '../timeline/programme/span.ts';
import { contentBetween, type Title } from './title.ts';

/** A break on both clocks, in flicks. */
type PlacedBreak = {
  readonly id: string;
  /** Content before it, without replaced ranges. */
  readonly contentTime: Flicks;
  /** Since the start of the presentation. */
  readonly streamTime: Flicks;
  readonly duration: Flicks;
  readonly ads: readonly StitchedAd[];
  /** Bumpers and ads as they play; empty without ads. */
  readonly shown: readonly (Bumper | StitchedAd)[];
};

export type Presentation = {
  /** All of it, in order. The first one starts at the instant of time zero. */
  readonly spans: readonly Span[];
  readonly duration: Flicks;
  /** Without breaks and replaced ranges. */
  readonly contentDuration: Flicks;
  readonly breaks: readonly PlacedBreak[];
  /** The break with which a resumed session starts. */
  readonly resumeBreak?: string | undefined;
};

/** A clip within the presentation; `ad` and `id` are set within breaks. */
type Piece = { readonly clip: Clip; readonly id?: string; readonly ad?: StitchedAd; readonly breakId?: string };

/** Bumpers and ads, in playing order. */
const shownIn = ({ ads, intro, outro }: FrozenBreak): readonly (Bumper | StitchedAd)[] =>
  ads.length === 0 ? [] : [...(intro ? [intro] : []), ...ads, ...(outro ? [outro] : [])];

/** Bumpers and ads, or the content that no ads replace. @param around undefined at the start and the end */
function breakPieces(
  one: FrozenBreak,
  title: Title,
  clips: Pick<ClipMaker, 'ad'>,
  around: { readonly before: Clip | undefined; readonly after: Clip | undefined },
): Piece[] {
  const { id, ads, at, until } = one;
  if (ads.length === 0) {
    const kept = until === undefined ? [] : contentBetween(title, at, until);
    return kept.map((clip, index) => ({ clip, id: clipIdOf(id, index), breakId: id }));
  }
  const shown = shownIn(one);
  let { before } = around;
  return shown.map((piece, index) => {
    const { mediaId, frames } = piece;
    const after = index < shown.length - 1 ? 'ours' : around.after;
    before = clips.ad(mediaId, frames, soundOf(title.ladder, before, after));
    return { clip: before, id: clipIdOf(id, index), breakId: id, ...('adId' in piece ? { ad: piece } : {}) };
  });
}

const lengthOf = (pieces: readonly Piece[]): Flicks => flicks(pieces.reduce((sum, { clip }) => sum + clip.duration, 0));

/** @param clips makes the clips of ads for the title's ladder @param startsAt the instant of time zero */
export function layOut(
  title: Title,
  { breaks, resumeBreak }: Frozen,
  clips: Pick<ClipMaker, 'ad'>,
  startsAt: Millis,
): Presentation {
  const zero: Instant = { millis: startsAt, rest: flicks(0) };
  const spans: Span[] = [];
  const placed: PlacedBreak[] = [];
  const numbers = title.ladder.rungs.map(() => 0);
  let streamTime = 0;
  let contentTime = 0;
  let source = 0;

  function add({ clip, id, ad }: Piece, within: BreakPlace | undefined): void {
    const span = {
      id: id ?? `c${spans.length}`,
      placed: place(ad === undefined ? clip : sharedTrackedClip(clip, ad), after(zero, streamTime)),
      numbers: [...numbers],
      discontinuity: spans.length,
      memos: noMemos(),
    };
    spans.push(within === undefined ? span : { within, adId: ad?.adId, ...span });
    clip.ends.forEach((end, rung) => {
      numbers[rung] = (numbers[rung] ?? 0) + end - (clip.firsts[rung] ?? 0);
    });
    streamTime += clip.duration;
  }

  function addContent(to: Flicks): void {
    for (const clip of contentBetween(title, flicks(source), to)) {
      add({ clip }, undefined);
      contentTime += clip.duration;
    }
    source = to;
  }

  for (const [index, one] of breaks.entries()) {
    addContent(one.at);
    const [after] = contentBetween(title, one.until ?? one.at, breaks[index + 1]?.at ?? title.duration);
    const pieces = breakPieces(one, title, clips, { before: spans.at(-1)?.placed.clip, after });
    const duration = lengthOf(pieces);
    const { id, ads } = one;
    placed.push({
      id,
      contentTime: flicks(contentTime),
      streamTime: flicks(streamTime),
      duration,
      ads,
      shown: shownIn(one),
    });
    const within = { id, startsAt: clockAt(zero, streamTime), duration };
    for (const piece of pieces) add(piece, within);
    source = one.until ?? source;
  }
  addContent(title.duration);
  return { spans, duration: flicks(streamTime), contentDuration: flicks(contentTime), breaks: placed, resumeBreak };
}

/** Times are source times (title.ts). */
export type FrozenBreak = {
  readonly id: string;
  readonly at: Flicks;
  /** The end of the content that the ads replace. Without ads, that content is shown and counts as the break. */
  readonly until?: Flicks;
} & Pick<Decision, 'ads' | 'intro' | 'outro'>;

/** What a VoD session shows in its breaks: decided once for the whole presentation, stored, and never changed. */
export type Frozen = {
  /** In the order of time: breaks with ads, and all breaks with `until`. */
  readonly breaks: readonly FrozenBreak[];
  /** The break with which a resumed session starts. */
  readonly resumeBreak?: string;
  /** Identifies who decided it, so that a process recognises its own presentation after a call that failed. */
  readonly writer?: string;
};

/** The stream time of an instant of content, before a break at that position. @param contentTime flicks */
export function streamTimeOf({ breaks, contentDuration }: Presentation, contentTime: number): Flicks {
  const at = Math.min(Math.max(0, contentTime), contentDuration);
  return flicks(breaks.reduce((sum, one) => (one.contentTime < at ? sum + one.duration : sum), at));
}

/** @param resumeAt seconds of content time @returns where playback starts, unless that is the start */
export function resumeTime(presentation: Presentation, resumeAt: number | undefined): Flicks | undefined {
  if (resumeAt === undefined) return undefined;
  const first = presentation.breaks.find(({ id }) => id === presentation.resumeBreak);
  return first?.streamTime ?? streamTimeOf(presentation, Math.round(resumeAt * FLICKS_PER_SECOND));
}
