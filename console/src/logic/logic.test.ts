import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergePatch as applyPatch } from '../../../src/http/admin/request/mergePatch.ts';
import { signOpening as signOpeningHere } from '../../../src/http/live/signedOpening.ts';
import { naming } from '../../../test/naming.ts';
import { fromForm, rebase, toForm } from './channelForm.ts';
import { mergePatch } from './mergePatch.ts';
import { nameOfUrl } from './nameOfUrl.ts';
import { readPairs, writePairs } from './pairs.ts';
import { signOpening } from './signOpening.ts';
import { formatLength, formatTick, sayDistance, sayLength } from './time.ts';

test.each([
  [0, '0:00'],
  [59.6, '1:00'],
  [65, '1:05'],
  [3723, '1:02:03'],
])('%d s is %s', (seconds, text) => expect(formatLength(seconds)).toBe(text));

test('lengths with tenths, in words, and distances', () => {
  expect(formatLength(5.04, true)).toBe('0:05.0');
  expect(formatLength(3659.96, true)).toBe('1:01:00.0');
  expect([12.34, 60, 65, 3600, 7440].map(sayLength)).toEqual(['12.3 s', '1 min', '1 min 5 s', '1 h', '2 h 4 min']);
  const distances = [-400, -5000, 125_000, -7_200_000, 200_000_000];
  expect(distances.map(sayDistance)).toEqual([
    expect.not.stringMatching(/\d/),
    ...['5 s', '2 min', '2 h', '2 d'].map((length) => naming(length)),
  ]);
  for (const distance of distances.slice(1)) expect(sayDistance(distance)).not.toBe(sayDistance(-distance));
});

test.each([
  ['https://media.example.com/films/the-tide/master.m3u8?x=1', 'the-tide'],
  ['https://media.example.com/the%20tide.mpd', 'the tide'],
  ['https://media.example.com/100%/manifest.mpd', '100%'],
  ['https://media.example.com/', 'media.example.com'],
  ['no url', 'no url'],
])('%s is called %s', (url, name) => expect(nameOfUrl(url)).toBe(name));

test('a patch, applied as the interface applies it, turns the one record into the other', () => {
  const value = fc.oneof(fc.integer(), fc.string(), fc.array(fc.integer()));
  const record = fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.oneof(value, fc.dictionary(fc.constantFrom('x', 'y'), value)),
    {
      noNullPrototype: true,
    },
  );
  fc.assert(
    fc.property(record, record, (before, after) => {
      expect(applyPatch(before, mergePatch(before, after))).toEqual(after);
    }),
  );
  expect(mergePatch({ a: 1, b: { x: 1, y: 2 } }, { a: 1, b: { x: 1 } })).toEqual({ b: { y: null } });
});

test('what somebody has typed stays when the channel has changed; the rest follows it', () => {
  const was = toForm({ id: 'one', name: 'One', playlistSize: 60 });
  const is = toForm({ id: 'one', name: 'Uno', playlistSize: 90 });
  expect(rebase({ ...was, name: 'First' }, was, is)).toEqual({ ...is, name: 'First' });
});

test('a channel without its switches has their defaults, and one with them keeps them', () => {
  const usual = { repeats: 'inPods', tracking: 'server', announceAds: true, confirmations: false };
  expect(fromForm(toForm({}))).toEqual(usual);
  const told = { repeats: 'drop', tracking: 'client', announceAds: false, confirmations: true } as const;
  expect(fromForm(toForm(told))).toEqual(told);
});

test('an axis says which day begins at midnight', () => {
  expect([new Date(2026, 2, 1), new Date(2026, 2, 1, 12)].map((date) => formatTick(date.getTime()))).toEqual([
    '1 Mar',
    '12:00',
  ]);
});

test('names and values as lines', () => {
  expect(readPairs(' x-one: a: b \n\nbare\n')).toEqual({ 'x-one': 'a: b', bare: '' });
  expect(readPairs(' \n')).toBeUndefined();
  expect(readPairs(writePairs({ a: '1', b: 'c d' }))).toEqual({ a: '1', b: 'c d' });
});

test('a preview signs as the live interface verifies', async () => {
  const channel = { id: 'one', signingSecret: 'sixteen-or-more!' };
  const { exp, sig } = (await signOpening(channel, 1_790_000_000_000)) as { exp: string; sig: string };
  expect(sig).toBe(signOpeningHere(channel.signingSecret, channel.id, exp));
  expect(await signOpening({ id: 'one' }, 0)).toEqual({});
});
