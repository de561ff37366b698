// What players will see of an asset whose renditions do not start or end together, one sentence each.
import { type Flicks, flicksToSeconds } from '../time/units.ts';

export type CutWarning = {
  readonly code: 'STARTS_LATE' | 'STARTS_EARLY' | 'ENDS_LATE' | 'ENDS_EARLY' | 'NO_COMMON_BORDER';
  /** True where it is as late or early everywhere. */
  readonly isLag?: true;
  /** True where the last segments of the part are not shown. */
  readonly isCut?: true;
  readonly text: string;
};

/** A rendition beside the reference; times in flicks. */
type Beside = {
  readonly id: string;
  /** How much later than the reference its media start. */
  readonly start: number;
  readonly borders: Float64Array;
  /** True when it is as late everywhere. */
  readonly isLag: boolean;
  /** One frame. */
  readonly slack: number;
};

const seconds = (length: number): string => `${flicksToSeconds(Math.abs(length) as Flicks).toFixed(3)} s`;

export function startWarning({ id, start, isLag, slack }: Beside, reference: string): CutWarning[] {
  if (Math.abs(start) <= slack) return [];
  const how = `${id} starts ${seconds(start)} ${start > 0 ? 'after' : 'before'} ${reference}`;
  const code = start > 0 ? 'STARTS_LATE' : 'STARTS_EARLY';
  if (isLag) {
    const text = `${how} and stays so: at its cuts players may have nothing of it for as long`;
    return [{ code, isLag, text }];
  }
  const seen =
    start > 0 ? 'players have nothing of it for as long' : 'what is over is cut off or overlaps what was before';
  return [{ code, text: `${how}: ${seen}` }];
}

/** @param ending where the part is ended; before `end` when its last segments are left out */
export function endWarning({ id, borders }: Beside, reference: string, end: number, ending: number): CutWarning {
  const late = borders.at(-1)! - end;
  const code = late > 0 ? 'ENDS_LATE' : 'ENDS_EARLY';
  const how = `${id} ends ${seconds(late)} ${late > 0 ? 'after' : 'before'} ${reference}`;
  if (ending < end) {
    const text = `${how}: the last ${seconds(end - ending)} are not shown, so that all renditions end together`;
    return { code, isCut: true, text };
  }
  const seen = late > 0 ? 'what is over is cut off or overlaps what follows' : 'players have nothing of it for as long';
  return { code, text: `${how}: ${seen}` };
}

/** @param stray the rendition that is to blame, if it is one alone */
export function wanderWarning(reference: string, stray: Beside | undefined): CutWarning {
  const who = stray === undefined ? 'the renditions together never have' : `${stray.id} never has`;
  const text = `${who} a segment border where ${reference} has one: the asset can be cut at its start and end alone`;
  return { code: 'NO_COMMON_BORDER', text };
}
