// SPDX-License-Identifier: Apache-2.0
// Up to where a live entry shows its feed, if the origin has ended the programme.
import { isNonEmpty } from '../../invariant.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import { programmeEnds } from '../breaks/breakList.ts';
import { between } from './between.ts';
import type { LiveState } from './liveState.ts';
import { type LivePiece, middleOf } from './nextPieces.ts';
import type { Recorded } from './recordedContent.ts';

/** What ends a programme that was recorded so far is later. @param pieces what follows */
function endsAfter({ runs, sections }: LiveState, last: Recorded | undefined, [next]: readonly LivePiece[]) {
  if (last?.kind === 'break') return sections.findLast(({ start }) => between(start, last.until) > 0)?.start;
  const number = last?.slots.at(-1)?.number;
  const slots = runs.flatMap((run) => (run.kind === 'content' ? run.chunks.flatMap((chunk) => chunk.slots) : []));
  const slot = slots.find((one) => one.number === number) ?? (next?.kind === 'content' ? next.slots[0] : undefined);
  return slot && middleOf(slot);
}

/**
 * The pieces before the end of the programme, perhaps none; undefined as long as the origin shows it.
 * @param last what was recorded last of this feed
 */
export function piecesUntilEnd(
  state: LiveState,
  last: Recorded | undefined,
  pieces: readonly LivePiece[],
): LivePiece[] | undefined {
  const { breaks, edge } = state;
  const since = endsAfter(state, last, pieces);
  if (breaks === undefined || edge === undefined || since === undefined) return undefined;
  const end = programmeEnds(breaks).find((at) => between(since, at) > 0 && between(at, edge) >= 0);
  if (end === undefined) return undefined;
  const isBefore = (at: Instant): boolean => between(at, end) > 0;
  return pieces.flatMap((piece): LivePiece[] => {
    if (piece.kind === 'break') return isBefore(after(piece.until, -piece.length)) ? [piece] : [];
    const slots = piece.slots.filter((slot) => isBefore(middleOf(slot)));
    return isNonEmpty(slots) ? [{ ...piece, slots }] : [];
  });
}
