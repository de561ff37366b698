// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { decidedView, START } from '../../test/laws/decidedView.ts';
import { hlsOf } from '../../test/laws/syntheticChannel.ts';

const ranges = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('#EXT-X-DATERANGE'));
const dateOf = (line: string) => Date.parse(/START-DATE="([^"]*)"/.exec(line)![1]!);

test('writes a date range before the first segment of a break and of each ad, the same in every rung', async () => {
  const view = await decidedView({ seconds: [4, 3], breakSeconds: 10, at: 14_000 });
  const text = hlsOf(view, 0);
  const [whole, one, two, ...others] = ranges(text);
  expect(others).toEqual([]);
  expect(whole).toBe(
    '#EXT-X-DATERANGE:ID="0-0",CLASS="urn:midroll:break:2026",START-DATE="2026-03-01T00:00:00.000Z",DURATION=10.0,X-MIDROLL-BREAK="0-0"',
  );
  expect(one).toContain(
    'ID="0-0-0",CLASS="urn:svta:advertising-wg:ad-creative-signaling",START-DATE="2026-03-01T00:00:00.000Z",DURATION=4.0,X-MIDROLL-BREAK="0-0",X-AD-CREATIVE-SIGNALING="',
  );
  expect([dateOf(one!), dateOf(two!)]).toEqual([START, START + 4000]);
  const signal = JSON.parse(Buffer.from(/SIGNALING="([^"]*)"/.exec(two!)![1]!, 'base64').toString());
  const identifiers = [{ scheme: 'urn:midroll:ad:2026', value: '0-0-1' }];
  const slot = { type: 'linear', start: 0, duration: 3, identifiers, tracking: [] };
  expect(signal).toEqual({ version: 2, type: 'slot', payload: [slot] });
  const after = text.slice(text.indexOf(two!)).split('\n');
  expect(after[1]).toBe('#EXT-X-PROGRAM-DATE-TIME:2026-03-01T00:00:04.000Z');
  expect(ranges(hlsOf(view, 1))).toEqual(ranges(text));
});

test('lists the date range of a break or an ad as long as one of its segments is listed', async () => {
  const { depth } = await decidedView({ seconds: [4, 3], breakSeconds: 10, at: 1000, depth: 10_000 });
  const idsAt = async (at: number) => {
    const view = await decidedView({ seconds: [4, 3], breakSeconds: 10, at, depth });
    return ranges(hlsOf(view, 0)).map((line) => /ID="([^"]*)"/.exec(line)![1]);
  };
  expect(await idsAt(depth + 4500)).toEqual(['0-0', '0-0-1']);
  expect(await idsAt(depth + 8500)).toEqual(['0-0']);
});

test('announces nothing when announcements are off', async () => {
  const view = await decidedView({ seconds: [4], breakSeconds: 10, at: 12_000 });
  const silent = { ...view.airing, channel: { ...view.airing.channel, announceAds: false } };
  expect(hlsOf(view, 0)).toContain('DATERANGE');
  expect(hlsOf({ ...view, airing: silent }, 0)).not.toContain('DATERANGE');
});
