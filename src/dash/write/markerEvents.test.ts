// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { operated } from '../../../test/laws/insertedBreaks.ts';
import { airingOf, syntheticChannel } from '../../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { channelMpdText } from '../../http/live/guided/channelRoutes.ts';
import { channelView } from '../../playback/view/channelView.ts';
import { readPayload } from '../../scte35/readSection.ts';
import { millis } from '../../time/units.ts';

const START = Date.parse('2026-03-01T00:00:00.000Z');
const asset = syntheticAsset({ name: 'film', segments: new Array<number>(30).fill(50) });
const channel = syntheticChannel([{ asset, cuePoints: [{ spliceTime: 6, maxDuration: 5 }] }], START);

const mpdAt = (seconds: number, of = channel, size = 30): string =>
  channelMpdText(channelView(airingOf(of, size), millis(START + 1000 * seconds)), 'https://live.test/time', {
    dialect: 'cue',
    ahead: 0,
  });

test('a break is the first event of its Period, with its length, as long as the Period is listed', () => {
  const event =
    '<Period id="0-1" start="PT6S">\n<EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin" timescale="90000">\n' +
    '<Event presentationTime="0" duration="450000" id="2810209353">\n' +
    '<scte35:Signal xmlns:scte35="http://www.scte.org/schemas/35/2016">\n' +
    '<scte35:Binary>/DAgAAAAAAAA///wDwWngGRJf//+AAbd0AAAAAAAALZPPHU=</scte35:Binary>\n' +
    '</scte35:Signal>\n</Event>\n</EventStream>';
  for (const seconds of [7, 20, 40]) expect(mpdAt(seconds), `${seconds}`).toContain(event);
  expect(mpdAt(42)).not.toContain('scte35');
});

test('a break that an operator has ended ends with an event of the Period after it', () => {
  const order = { id: 'o', kind: 'ads', startsAt: START + 100_000, duration: 30 } as const;
  const began = operated(channel, [order], START + 30_000);
  const starting =
    /<Period id="([^"]*)" start="PT([\d.]+)S">\n<EventStream[^>]*>\n<Event presentationTime="0" duration="2700000"/;
  const [, id, start] = starting.exec(mpdAt(110, began))!;
  const ended = operated(began, [{ ...order, isOver: true }], START + 1000 * Number(start) + 12_000);
  const text = mpdAt(Number(start) + 40, ended, 60);
  expect(text.match(/duration="2700000"/g)).toHaveLength(1);
  const after = new RegExp(
    `<Period id="${id}"[\\s\\S]*?(<Period [^>]*start="PT([\\d.]+)S"[\\s\\S]*?)<AdaptationSet`,
  ).exec(text)!;
  expect(Number(after[2]) - Number(start)).toBeLessThan(20);
  const [, event, message] = /<Event ([^>]*)>[\s\S]*<scte35:Binary>(.*)</.exec(after[1]!)!;
  expect(event).toMatch(/^presentationTime="0" id="\d+"$/);
  expect(readPayload(message!)).toMatchObject({ command: { isOut: false }, warnings: [] });
});
