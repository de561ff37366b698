// SPDX-License-Identifier: Apache-2.0
// Lines that origins should not write, and write: at places that depend on the number of the segment only, so that each reading
// has the same. SOAK_LINES names those that are on, by parts of their names; `none` turns them off.

type Segment = readonly string[];
type Change = (segment: Segment, number: number) => Segment;

const before =
  (...tags: readonly string[]): Change =>
  (segment) => [...tags, ...segment];
const extinf =
  (change: (line: string) => string[]): Change =>
  (segment) =>
    segment.flatMap((line) => (line.startsWith('#EXTINF') ? change(line) : [line]));
const seconds = (line: string): number => Number(/^#EXTINF:([\d.]+)/.exec(line)?.[1] ?? 0);

/** Of single segments. */
const ofSegment: Readonly<Record<string, Change>> = {
  'negative EXTINF': extinf((line) => [`#EXTINF:-${seconds(line)},`]),
  'EXT-X-KEY without URI': before('#EXT-X-KEY:METHOD=AES-128'),
  'EXT-X-MAP without URI': before('#EXT-X-MAP:BYTERANGE="720@0"'),
  'bad EXT-X-BYTERANGE': before('#EXT-X-BYTERANGE:many@-5'),
  'URI without EXTINF': extinf(() => []),
  'EXTINF with a comma': extinf((line) => [`#EXTINF:${String(seconds(line).toFixed(3)).replace('.', ',')},`]),
};
/** Of all segments that an encoder has made since it started. */
const ofRun: Readonly<Record<string, Change>> = {
  // Every third one is rounded up, against the dates.
  'EXTINF in whole seconds': (segment, number) =>
    extinf((line) => [`#EXTINF:${Math.floor(seconds(line) + (number % 3) / 2)},`])(segment, number),
  'continuations without end': (segment, number) => {
    const elapsed = 2 * (number % 60) - 20;
    const first = elapsed === 0 ? ['#EXT-X-CUE-OUT:10'] : [];
    return elapsed < 0 ? segment : [...first, `#EXT-X-CUE-OUT-CONT:ElapsedTime=${elapsed},Duration=10`, ...segment];
  },
};
const SHORT_TARGET = 'segments longer than the target duration';
const ZERO = 'S of no duration';
const BACK = 'S@t that goes back';
export const PRIMARY = 'a primary variant that dies';

const names = [...Object.keys(ofSegment), ...Object.keys(ofRun), SHORT_TARGET, ZERO, BACK, PRIMARY];

export function linesOn(): ReadonlySet<string> {
  const wanted = process.env.SOAK_LINES;
  return new Set(names.filter((name) => wanted === undefined || wanted.split(',').some((part) => name.includes(part))));
}

/** One of so many segments has a bad line. */
const RARITY = 120;
const hash = (run: number, number: number, range: number): number =>
  (Math.imul(run * 104_729 + number, 2_246_822_519) >>> 7) % range;

export function createBadLines(on: ReadonlySet<string>) {
  const changes = Object.entries(ofSegment).flatMap(([name, change]) => (on.has(name) ? [change] : []));
  const style = (run: number): string | undefined => [...Object.keys(ofRun), SHORT_TARGET, undefined][hash(run, 0, 4)];

  function changed(segment: Segment, run: number, number: number): Segment {
    const single = changes[hash(run, number, RARITY)];
    if (single !== undefined) return single(segment, number);
    const whole = style(run);
    const change = whole !== undefined && on.has(whole) ? ofRun[whole] : undefined;
    return change === undefined ? segment : change(segment, number);
  }

  function rows(run: number, t: number, d: number, at: number): string {
    const kind = hash(run, Math.round(t / d), RARITY);
    if (kind === 0 && on.has(ZERO)) return `<S t="${t}" d="0"/><S t="${t}" d="${d}"/>`;
    if (kind === 1 && on.has(BACK) && at > 0) return `<S t="${t - 3 * d}" d="${d}"/>`;
    return `<S t="${t}" d="${d}"/>`;
  }

  return {
    hls(text: string, run: number): string {
      if (on.size === 0) return text;
      let number = Number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m.exec(text)?.[1] ?? 0);
      const shorter = style(run) === SHORT_TARGET && on.has(SHORT_TARGET);
      const stated = shorter ? text.replace(/(TARGETDURATION:)\d+/, '$11') : text;
      // A segment begins at its EXTINF: what is before it belongs to the playlist, or is in force for more.
      return stated.replace(/^#EXTINF:[^\n]*\n(?:#[^\n]*\n)*[^#\n]+$/gm, (found) => {
        const lines = changed(found.split('\n'), run, number);
        number += 1;
        return lines.join('\n');
      });
    },
    mpd(text: string, run: number): string {
      if (!on.has(ZERO) && !on.has(BACK)) return text;
      return text.replace(/<SegmentTimeline>(.*?)<\/SegmentTimeline>/g, (_, inside: string) => {
        let time = 0;
        let at = 0;
        const written = [...inside.matchAll(/<S(?: t="(\d+)")? d="(\d+)"(?: r="(\d+)")?\/>/g)].map(([, t, d, r]) => {
          if (t !== undefined) time = Number(t);
          const each = Array.from({ length: Number(r ?? 0) + 1 }, () => {
            const row = rows(run, time, Number(d), at);
            time += Number(d);
            at += 1;
            return row;
          });
          return each.join('');
        });
        return `<SegmentTimeline>${written.join('')}</SegmentTimeline>`;
      });
    },
  };
}
