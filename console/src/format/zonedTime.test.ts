// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test } from 'vitest';
import { isTimeZone, selectedZone, selectTimeZone, timeZone, zoneOffsetName } from './timeZone.ts';
import { addDays, fromLocalText, localDate, localText, mondayOf, toLocal } from './zonedTime.ts';

const berlin = 'Europe/Berlin';
afterEach(() => selectTimeZone(''));

test('reads the times that it writes, in every zone', () => {
  const time = Date.parse('2026-07-01T22:15:04Z');
  expect(localText(time, berlin)).toBe('2026-07-02T00:15:04');
  expect(localText(time, 'Asia/Kolkata')).toBe('2026-07-02T03:45:04');
  expect(localDate(time, 'America/New_York')).toBe('2026-07-01');
  for (const zone of ['UTC', berlin, 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Kiritimati', 'Australia/Lord_Howe'])
    for (let day = 0; day < 365; day += 7) {
      const at = time + day * 86_400_000;
      expect([zone, fromLocalText(localText(at, zone), zone)]).toEqual([zone, at]);
    }
  expect(fromLocalText(toLocal(time - 4000))).toBe(time - 4000);
});

test('a day on which the clocks change has 23 or 25 hours', () => {
  const hours = (date: string) => (fromLocalText(addDays(date, 1), berlin)! - fromLocalText(date, berlin)!) / 3_600_000;
  expect(['2026-03-28', '2026-03-29', '2026-10-25'].map(hours)).toEqual([24, 23, 25]);
});

test('of a time that clocks show twice the first is meant; one that they skip is an hour later', () => {
  expect(fromLocalText('2026-10-25T02:30', berlin)).toBe(Date.parse('2026-10-25T00:30:00Z'));
  expect(fromLocalText('2026-03-29T02:30', berlin)).toBe(Date.parse('2026-03-29T01:30:00Z'));
});

test.each(['', 'x', '2026-02-30', '2026-03-01T25:00', '0002-03-01T20:00', '20260-03-01T20:00'])(
  '%j is no time',
  (text) => expect(fromLocalText(text, 'UTC')).toBeUndefined(),
);

test('dates are counted, and weeks start on Monday', () => {
  expect(addDays('2026-02-27', 2)).toBe('2026-03-01');
  expect(['2026-03-01', '2026-03-02', '2026-03-08'].map(mondayOf)).toEqual(['2026-02-23', '2026-03-02', '2026-03-02']);
});

test('the zone of the browser is used until another one is selected; an unknown one is ignored', () => {
  const own = timeZone();
  let changes = 0;
  const end = selectedZone.listen(() => {
    changes += 1;
  });
  selectTimeZone('Asia/Kolkata');
  expect([timeZone(), selectedZone.read(), changes]).toEqual(['Asia/Kolkata', 'Asia/Kolkata', 1]);
  end();
  selectTimeZone('Mars/Olympus');
  expect([timeZone(), selectedZone.read(), changes]).toEqual([own, '', 1]);
  expect([isTimeZone('UTC'), isTimeZone('')]).toEqual([true, false]);
});

test('names offsets', () => {
  const winter = Date.parse('2026-01-01T00:00:00Z');
  expect(['UTC', berlin, 'Asia/Kolkata'].map((zone) => zoneOffsetName(winter, zone))).toEqual([
    ...['UTC', 'UTC+1', 'UTC+5:30'],
  ]);
});
