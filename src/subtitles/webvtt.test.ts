// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cue, cutCues } from './cue.ts';
import { readWebvtt, writeWebvtt } from './webvtt.ts';

const lines = (...text: string[]): string => text.join('\n');

test('reads cues with ids, settings, hours and several lines', () => {
  const text = lines(
    'WEBVTT - a title',
    'X-TIMESTAMP-MAP=LOCAL:00:00:01.000,MPEGTS:900000',
    '',
    'STYLE',
    '::cue { color: lime }',
    '',
    'NOTE a comment',
    '',
    'intro',
    '00:01.000 --> 00:02.500 line:0 align:start',
    '<i>Hello</i>',
    '- there',
    '',
    '01:00:00.000 --> 01:00:01.000',
    'an hour later',
  );
  expect(readWebvtt(text)).toEqual({
    map: { local: 1000, mpegts: 900_000 },
    blocks: ['STYLE\n::cue { color: lime }'],
    malformed: 0,
    cues: [
      { id: 'intro', start: 1000, end: 2500, settings: 'line:0 align:start', text: '<i>Hello</i>\n- there' },
      { start: 3_600_000, end: 3_601_000, text: 'an hour later' },
    ],
  });
});

test.each([
  ['a BOM, CRLF line ends and no empty line after the header', '\uFEFFWEBVTT\r\nONE\r\n\r\n', ['one'], 0],
  ['commas in times, as in SubRip', 'WEBVTT\n\n1\n00:00:01,5 --> 00:00:02,000\none', ['one'], 0],
  ['cues without an empty line between them', 'WEBVTT\n\nONE\nTWO', ['one', 'two'], 0],
  ['a cue that ends before it starts', 'WEBVTT\n\n00:02.000 --> 00:01.000\nback\n\nTWO', ['two'], 1],
  ['an invalid time', 'WEBVTT\n\nsoon --> later\nwhat\n\nTWO', ['two'], 1],
  ['a cue without text', 'WEBVTT\n\n00:02.000 --> 00:03.000\n\n00:03.000 --> 00:04.000\nthree', ['three'], 0],
  ['text without a time', 'WEBVTT\n\nlost words\nof a cue\n\nTWO', ['two'], 1],
])('tolerates %s', (_, text, texts, malformed) => {
  const end = text.includes('\r') ? '\r\n' : '\n';
  const [one, two] = [`00:01.000 --> 00:02.000${end}one`, `00:02.000 --> 00:03.000${end}two`];
  const read = readWebvtt(text.replace('ONE', one).replace('TWO', two))!;
  expect(read.cues.map((cue) => cue.text)).toEqual(texts);
  expect(read.malformed).toBe(malformed);
});

test.each([
  ['X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:-5274000', { local: 0, mpegts: -5_274_000 }],
  ['X-TIMESTAMP-MAP=MPEGTS: 900000, LOCAL: -00:00:01.500', { local: -1500, mpegts: 900_000 }],
  ['X-TIMESTAMP-MAP=MPEGTS:900000', undefined],
])('reads %s, also after an empty line', (line, map) => {
  const cue = '00:01.000 --> 00:02.000\none';
  expect(readWebvtt(`WEBVTT\n${line}\n\n${cue}`)!.map).toEqual(map);
  expect(readWebvtt(`WEBVTT\n\n${line}\n\n${cue}`)).toMatchObject({ ...(map && { map }), malformed: map ? 0 : 1 });
});

test.each(['', 'WEBVTTX', '<tt/>', '1\n00:01.000 --> 00:02.000\nsrt'])('%j is not WebVTT', (text) => {
  expect(readWebvtt(text)).toBeUndefined();
});

test('long lines of blanks take no noticeable time', () => {
  const blanks = ' '.repeat(2_000_000);
  expect(readWebvtt(`WEBVTT${blanks}\n\n00:01.000 --> 00:02.000${blanks}x\none`)!.cues).toHaveLength(1);
  expect(readWebvtt(`WEBVTT\nX-TIMESTAMP-MAP=${blanks}\n\n00:01.000${blanks}-->${blanks}\none`)!.malformed).toBe(1);
});

const someCues = fc.array(
  fc.record({
    start: fc.integer({ min: 0, max: 20_000 }),
    length: fc.integer({ min: 1, max: 9000 }),
    text: fc.constantFrom('a', 'b\nc', '<b>d</b>', 'é 字'),
    settings: fc.constantFrom(undefined, 'line:-1'),
  }),
);
const made = (list: readonly { start: number; length: number; text: string; settings: string | undefined }[]): Cue[] =>
  list.map(({ start, length, text, settings }) => ({
    start,
    end: start + length,
    text,
    ...(settings ? { settings } : {}),
  }));

test('cues are read back as they were written, and the media time has 33 bits', () => {
  fc.assert(
    fc.property(someCues, fc.integer({ min: -(2 ** 34), max: 2 ** 40 }), (list, zero) => {
      const cues = made(list);
      const read = readWebvtt(writeWebvtt({ cues, blocks: [] }, zero))!;
      expect(read.cues).toEqual(cues);
      expect(read.map).toEqual({ local: 0, mpegts: ((zero % 2 ** 33) + 2 ** 33) % 2 ** 33 });
    }),
  );
});

test('cut into segments, every cue is displayed for as long as before, once at each instant', () => {
  fc.assert(
    fc.property(
      someCues,
      fc.array(fc.integer({ min: 1, max: 6000 }), { minLength: 5, maxLength: 40 }),
      (list, lengths) => {
        const borders = [0];
        for (const length of lengths) borders.push(borders.at(-1)! + length);
        const end = borders.at(-1)!;
        const cues = made(list);
        const segments = borders.slice(1).map((to, index) => cutCues(cues, borders[index]!, to));
        segments.forEach((segment, index) => {
          for (const cue of segment) {
            expect(cue.start).toBeGreaterThanOrEqual(borders[index]!);
            expect(cue.end).toBeLessThanOrEqual(borders[index + 1]!);
          }
        });
        for (let at = 0; at < Math.min(end, 30_000); at += 487) {
          const shown = (all: readonly Cue[]) =>
            all.filter((cue) => cue.start <= at && cue.end > at).map(({ text }) => text);
          expect(shown(segments.flat()).sort()).toEqual(shown(cues).sort());
        }
      },
    ),
  );
});
