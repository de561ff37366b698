// What a channel plays when, for people: its spans between two instants.
import { timelineBetween } from '../../channels/lineup.ts';
import { flicksToSeconds, type Millis } from '../../time/units.ts';
import { type Span, spanStart } from '../../timeline/span.ts';
import type { Airing } from './airing.ts';

export type ProgrammeEntry = {
  readonly kind: 'content' | 'break' | 'slate';
  readonly startsAt: string;
  /** Seconds. */
  readonly duration: number;
  readonly url?: string;
  readonly maxAds?: number;
  readonly breakId?: string;
};

function entry(span: Span): ProgrammeEntry {
  const { clip } = span.placed;
  const common = {
    startsAt: new Date(spanStart(span)).toISOString(),
    duration: Math.round(flicksToSeconds(clip.duration) * 1e6) / 1e6,
  };
  if (span.break !== undefined) {
    const { id, maxAds } = span.break;
    return { kind: 'break', ...common, breakId: id, ...(maxAds === undefined ? {} : { maxAds }) };
  }
  if (clip.kind === 'slate') return { kind: 'slate', ...common };
  return { kind: 'content', ...common, url: clip.asset.url };
}

export const programmeBetween = ({ lineup }: Airing, from: Millis, to: Millis): ProgrammeEntry[] =>
  timelineBetween(lineup, from, to).map(entry);

/** Changes of the schedule that come into force between two instants. */
export const editionsBetween = ({ lineup }: Airing, from: Millis, to: Millis) =>
  lineup.editions
    .filter((edition) => edition.from >= from && edition.from < to)
    .map((edition) => ({ number: edition.number, startsAt: new Date(edition.from).toISOString() }));
