// What players will see of an asset whose renditions do not start or end together, one sentence each.
import { FLICKS_PER_SECOND, type Flicks, flicksToSeconds, ticksToFlicks } from '../time/units.ts';

export type CutWarning = {
  readonly code:
    | 'STARTS_LATE'
    | 'STARTS_EARLY'
    | 'ENDS_LATE'
    | 'ENDS_EARLY'
    | 'NO_COMMON_BORDER'
    | 'EMPTY_EDIT'
    | 'EDIT_LIST';
  /** True where it is as late or early everywhere. */
  readonly isLag?: true;
  /** True where the last segments of the part are not shown. */
  readonly isCut?: true;
  readonly text: string;
};

/** A rendition beside the reference; times in flicks. */
type Beside = {
  readonly id: string;
  /** How much later than the reference its media start, and how much later they do in browsers. */
  readonly start: number;
  readonly startInBrowsers: number;
  readonly borders: Float64Array;
  /** True when it is as late everywhere. */
  readonly isLag: boolean;
  /** One frame. */
  readonly slack: number;
};

type MovedTrack = { readonly id: string; readonly timescale: number; readonly moved?: number };

const seconds = (length: number): string => `${flicksToSeconds(Math.abs(length) as Flicks).toFixed(3)} s`;

const inDash = 'in DASH the manifest makes up for it';

/** Chromium bridges a hole of up to two frames, which are 43 ms of AAC at 48 kHz. */
const UNSEEN = FLICKS_PER_SECOND / 25;

/** Browsers move what they play by its edit list; hls.js counts without it, so the two part at each border of a span. */
export function movedWarning({ id, moved = 0, timescale }: MovedTrack): CutWarning[] {
  const length = ticksToFlicks(moved, timescale);
  if (Math.abs(length) <= UNSEEN) return [];
  const text = `the edit list of ${id} moves it by ${seconds(length)}: in HLS, hls.js finds a hole of as long at its cuts, DASH has none`;
  return [{ code: 'EDIT_LIST', text }];
}

export function startWarning(beside: Beside, reference: string): CutWarning[] {
  const { id, start, startInBrowsers, isLag, slack } = beside;
  if (startInBrowsers !== start && Math.abs(startInBrowsers) > slack) {
    const where = `${seconds(startInBrowsers)} ${startInBrowsers > 0 ? 'after' : 'before'} ${reference}`;
    const told = `${seconds(start)} ${start > 0 ? 'after' : 'before'}`;
    const text = `browsers ignore edit lists that begin with an empty edit and start ${id} ${where}, not ${told}: in HLS they have nothing of it for as long at its cuts; ${inDash}`;
    return [{ code: 'EMPTY_EDIT', ...(isLag ? { isLag } : {}), text }];
  }
  if (Math.abs(start) <= slack) return [];
  const how = `${id} starts ${seconds(start)} ${start > 0 ? 'after' : 'before'} ${reference}`;
  const code = start > 0 ? 'STARTS_LATE' : 'STARTS_EARLY';
  if (isLag) {
    const text = `${how} and stays so: in HLS, players may have nothing of it for as long at its cuts; ${inDash}`;
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
