// SPDX-License-Identifier: Apache-2.0
// The breaks that the live origin of the demo announces. They start and end at segments that no playlist lists yet, so that
// nothing that was listed changes.
import { SEGMENT_SECONDS } from './encoderArguments.ts';

export const BREAK_SECONDS = 20;
const BREAK_SEGMENTS = BREAK_SECONDS / SEGMENT_SECONDS;
/** After a minute without a break, one starts by itself. */
const CONTENT_SEGMENTS = 60 / SEGMENT_SECONDS;
const REMEMBERED = 20;

/** Media sequence numbers of one run of the encoder: `from` is the first segment of the break, `to` the first one after it. */
export type SentBreak = { readonly run: string; readonly from: number; readonly to: number };
/** Where the encoder is: `next` is the number that no playlist lists yet. */
export type EncoderEdge = { readonly run: string; readonly next: number };

const lastOf = (breaks: readonly SentBreak[], { run }: EncoderEdge): SentBreak | undefined =>
  breaks.findLast((each) => each.run === run);

/** The break whose end is not listed yet. */
export function openBreak(breaks: readonly SentBreak[], edge: EncoderEdge): SentBreak | undefined {
  const last = lastOf(breaks, edge);
  return last !== undefined && edge.next < last.to ? last : undefined;
}

/** Starts a break at the next segment, unless one is on. */
export function sendBreak(breaks: readonly SentBreak[], edge: EncoderEdge): readonly SentBreak[] {
  if (openBreak(breaks, edge)) return breaks;
  const { run, next } = edge;
  return [...breaks, { run, from: next, to: next + BREAK_SEGMENTS }].slice(-REMEMBERED);
}

/** Ends the break that is on at the next segment. A break of which nothing is listed is removed. */
export function endBreak(breaks: readonly SentBreak[], edge: EncoderEdge): readonly SentBreak[] {
  const open = openBreak(breaks, edge);
  if (open === undefined) return breaks;
  const others = breaks.filter((each) => each !== open);
  return edge.next > open.from ? [...others, { ...open, to: edge.next }] : others;
}

/** Segments until a break starts by itself; 0 during a break. */
export function segmentsToBreak(breaks: readonly SentBreak[], edge: EncoderEdge): number {
  const since = edge.next - (lastOf(breaks, edge)?.to ?? 0);
  return since < 0 ? 0 : Math.max(0, CONTENT_SEGMENTS - since);
}

/** Starts the break that is due. */
export const sendDueBreak = (breaks: readonly SentBreak[], edge: EncoderEdge): readonly SentBreak[] =>
  segmentsToBreak(breaks, edge) === 0 ? sendBreak(breaks, edge) : breaks;
