// SPDX-License-Identifier: Apache-2.0
// Readers that need media times, of playlists whose EXTINF values are whole seconds of different lengths.
import { expect, test } from 'vitest';
import { BASE, bare, date, segmentsOf } from '../../../../test/live/origin/hlsStage.ts';
import { audioRung, memoryOrigin, readFrom, START } from '../../../../test/live/origin/memoryOrigin.ts';
import { RULES } from '../../../../test/live/origin/readings.ts';
import { nextEntry } from '../../../live/align/nextEntry.ts';
import { type Tail, tailAfter } from '../../../live/align/tail.ts';
import { endOfFact } from '../../../live/breaks/breakFact.ts';
import { addEntryBreaks, type BreakList } from '../../../live/breaks/breakList.ts';
import { writeFragment } from '../../../mp4/writeFragment.ts';
import { writeWvttInit } from '../../../subtitles/mp4Text.ts';
import { flicksToSeconds, type Millis, millis, secondsToFlicks } from '../../../time/units.ts';
import { clockAt } from '../../../timeline/programme/span.ts';
import { createHlsOriginReader } from './createHlsOriginReader.ts';
import { isAsStated } from './withReadLengths.ts';

const TIMESCALE = 90_000;
const WINDOW = 12;

/** A segment as it is stated, and how many seconds it lasts. */
type Piece = { readonly stated: number; readonly lasts: number; readonly tags?: readonly string[] };

/** An origin of one playlist, which lists one segment after the other. */
function originOf(pieces: readonly Piece[]) {
  const init = writeWvttInit(TIMESCALE);
  const isCut = ({ tags = [] }: Piece) => tags.includes('#EXT-X-DISCONTINUITY');
  const starts: number[] = [0];
  const mediaTimes: number[] = [];
  for (const piece of pieces) {
    const [before, last] = [pieces[mediaTimes.length - 1], mediaTimes.at(-1)];
    mediaTimes.push(before === undefined || last === undefined || isCut(piece) ? 0 : last + before.lasts);
    starts.push(starts.at(-1)! + piece.lasts);
  }
  const gone = (first: number) => pieces.slice(0, first).filter(isCut).length;
  const state = { end: WINDOW };
  const playlist = () => {
    const first = Math.max(0, state.end - WINDOW);
    const lines = pieces
      .slice(first, state.end)
      .flatMap(({ stated, tags = [] }, index) => [
        ...tags,
        date(0.197 + starts[first + index]!),
        `#EXTINF:${stated.toFixed(1)},`,
        `${first + index}.m4s`,
      ]);
    const head = ['#EXTM3U', '#EXT-X-TARGETDURATION:3', `#EXT-X-MEDIA-SEQUENCE:${first}`];
    return [...head, `#EXT-X-DISCONTINUITY-SEQUENCE:${gone(first)}`, '#EXT-X-MAP:URI="i.mp4"', ...lines].join('\n');
  };
  const segment = (index: number) => {
    const [decodeTime, sampleDuration] = [mediaTimes[index]!, pieces[index]!.lasts].map((each) =>
      Math.round(each * TIMESCALE),
    );
    const sample = { kind: 'video', trackId: 1, sizes: [1], data: new Uint8Array(1) } as const;
    return writeFragment(1, [{ ...sample, decodeTime: decodeTime!, sampleDuration: sampleDuration! }]);
  };
  const origin = memoryOrigin((url) => {
    const [, index] = /(\d+)\.m4s$/.exec(url) ?? [];
    return index === undefined ? (url.endsWith('i.mp4') ? init : playlist()) : segment(Number(index));
  });
  const now = () => (START + 1000 * starts[state.end]!) as Millis;
  const feed = { url: `${BASE}/live.m3u8`, rungs: [bare], serves: 'both' } as const;
  const reader = createHlsOriginReader({ origin, feed, now });
  return { starts, now, read: () => readFrom(reader), list: (end: number) => Object.assign(state, { end }) };
}

const cut = '#EXT-X-DISCONTINUITY';
const exact = (seconds: number, ...tags: string[]): Piece => ({ stated: seconds, lasts: seconds, tags });

/** Segments of two seconds, the last of a film of one, and breaks of ten seconds of slate in segments of one. */
const channel = Array.from({ length: 3 }, (_, round) => [
  exact(2, cut, ...(round === 0 ? [] : ['#EXT-X-CUE-IN'])),
  ...Array.from({ length: 5 + round }, () => exact(2)),
  exact(1),
  exact(1, cut, '#EXT-X-CUE-OUT:10.0'),
  ...Array.from({ length: 9 }, (_none, index) =>
    exact(1, `#EXT-X-CUE-OUT-CONT:ElapsedTime=${index + 1}.0,Duration=10.0`),
  ),
]).flat();

test.each([
  ['each segment', [1]],
  ['every second segment', [2]],
  ['three, then one', [3, 1]],
])('finds breaks of short segments where they are, polling after %s', async (_how, steps) => {
  const { starts, now, read, list } = originOf(channel);
  let tail: Tail | undefined;
  let breaks: BreakList | undefined;
  for (let [end, poll] = [WINDOW, 0]; end <= channel.length; end += steps[poll++ % steps.length]!) {
    list(end);
    const reading = await read();
    expect(reading?.warnings).toEqual([]);
    for (const { number, duration } of segmentsOf(reading!))
      expect(flicksToSeconds(duration), `segment ${number} of ${end}`).toBe(channel[number]!.lasts);
    const frame = { readAt: now(), visibleAt: now(), rules: RULES };
    const entry = nextEntry(tail, reading!, frame, { history: 90_000 });
    if (entry === undefined) continue;
    tail = tailAfter(tail, entry);
    breaks = addEntryBreaks(breaks, entry);
  }
  const outs = channel.flatMap(({ tags = [] }, index) => (tags.includes('#EXT-X-CUE-OUT:10.0') ? [index] : []));
  const at = (seconds: number) => millis(START + 197 + 1000 * seconds);
  const expected = outs.map((index) => [at(starts[index]!), at(starts[index]! + 10)]);
  const found = breaks!.breaks.map((fact) => [fact.startsAt, endOfFact(fact)!].map((instant) => clockAt(instant, 0)));
  expect(found).toEqual(expected);
});

/** Each segment ends at a border that is rounded to a second. */
const rounded = (seconds: number, count: number, carry: number): Piece[] =>
  Array.from({ length: count }, (_, index) => {
    const border = (at: number) => Math.round(carry + at * seconds);
    return { stated: border(index + 1) - border(index), lasts: seconds, ...(index === 20 && { tags: [cut] }) };
  });

test.each([
  ['1.92 s', rounded(1.92, 60, 0)],
  ['2.002 s, where few deviate by a second', rounded(2.002, 60, 0.43)],
  ['1.5 s', rounded(1.5, 60, 0)],
])('does not take rounded durations as stated: %s', async (_what, pieces) => {
  const { read, list } = originOf(pieces);
  expect(new Set(pieces.map(({ stated }) => stated)).size).toBe(2);
  for (let end = WINDOW; end <= pieces.length; end += 1) {
    list(end);
    const segments = segmentsOf((await read())!);
    const stated = segments.map(({ number }) => pieces[number]!.stated);
    // Without different lengths, nothing shows that they are rounded.
    if (new Set(stated).size === 1) continue;
    // Nothing shows how long the first one is if a discontinuity follows.
    for (const { number, duration } of segments.slice(1))
      expect(flicksToSeconds(duration), `segment ${number} of ${end}`).toBeCloseTo(pieces[number]!.lasts, 3);
  }
});

test('takes durations of sound as stated if only its frames differ from them', () => {
  const FRAME = 1024;
  const segments = Array.from({ length: 20 }, (_, number) => ({
    number,
    duration: secondsToFlicks(1),
    media: { url: `${BASE}/${number}.m4s` },
    stretch: 'd0',
  }));
  const stated = segments.map(({ duration }) => duration);
  const isExact = (seconds: number, kind: 'audio' | 'video') => {
    const anchors = segments.map(({ number }) => {
      const mediaTime = FRAME * Math.round((number * seconds * 48_000) / FRAME);
      return { number, name: `${number}.m4s`, mediaTime };
    });
    return isAsStated({ rung: { ...audioRung, kind }, segments, anchors }, stated);
  };
  expect(isExact(1, 'audio')).toBe(true);
  expect(isExact(1, 'video')).toBe(false);
  expect(isExact(0.98, 'audio')).toBe(false);
});
