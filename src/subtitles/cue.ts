// Subtitles as cues: what is shown when. This room reads and writes them (WebVTT, WebVTT in MP4, simple TTML) and cuts them
// into segments; it refuses to know where texts come from and who watches.
//
// It has its own count of time, milliseconds, as WebVTT has; whole wherever they came from a text.

export type Cue = {
  readonly start: number;
  /** After `start`. */
  readonly end: number;
  /** WebVTT cue text: tags and all, lines separated by `\n`, none of them empty. */
  readonly text: string;
  /** WebVTT cue settings: `line:0 align:start`. */
  readonly settings?: string;
  readonly id?: string;
};

export type Cues = {
  readonly cues: readonly Cue[];
  /** STYLE and REGION blocks of WebVTT, as they were written. */
  readonly blocks: readonly string[];
};

/** The cues of a stretch, cut where it begins and ends: what goes on is shown again in the next, and never beyond a break. */
export function cutCues(cues: readonly Cue[], from: number, to: number): Cue[] {
  const shown: Cue[] = [];
  for (const cue of cues) {
    const [start, end] = [Math.max(cue.start, from), Math.min(cue.end, to)];
    if (start < end) shown.push({ ...cue, start, end });
  }
  return shown.sort((a, b) => a.start - b.start || a.end - b.end);
}

export const shiftCues = (cues: readonly Cue[], by: number): Cue[] =>
  cues.map((cue) => ({ ...cue, start: cue.start + by, end: cue.end + by }));
