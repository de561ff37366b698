// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { LinearChannel } from '../../../channels/channel.ts';
import type { ProjectedEntry } from '../../../planning/schedule/projectSchedule.ts';
import type { Entry } from '../../../scheduling/schedule.ts';
import type { TimelineRow } from '../../../scheduling/timeline.ts';
import { millis } from '../../../time/units.ts';
import { eventOf, upcomingProgrammes } from './upcomingEvents.ts';

const at = (minutes: number) => millis(Date.UTC(2026, 11, 1, 18) + minutes * 60_000);
const row = (entryId: string | undefined, from: number, to: number, ...breaks: readonly number[]): TimelineRow => ({
  ...(entryId === undefined ? { kind: 'filler' } : { kind: 'entry', entryId }),
  startsAt: at(from),
  endsAt: at(to),
  breaks: breaks.map((minute) => ({ startsAt: at(minute), duration: 45_200 })),
});
const inserted: TimelineRow = { kind: 'inserted', insertedId: 'x', startsAt: at(40), endsAt: at(41), breaks: [] };
const film: Entry = { id: 'film', title: 'Film', source: { url: 'https://user:secret@media.test/film.m3u8' } };
const live = { sourceManifestUrl: 'https://origin.test/match.m3u8', plannedDuration: 5400 };
const entries: readonly Entry[] = [
  film,
  {
    id: 'series',
    title: 'Series',
    subtitle: 'Part 2',
    season: 3,
    episode: 2,
    language: 'pt-BR',
    categories: ['Drama', 'Crime'],
    ratings: [{ value: 'TV-14' }],
    source: { playlistId: 'p' },
    upid: { type: 'eidr', value: '10.5240/7791-8534-2C23-9030-8610-5' },
  },
  { id: 'match', source: { live: { ...live, end: 'manual' } } },
  { id: 'race', source: { live } },
  { id: 'trailer', source: { playlistId: 't' }, isHidden: true },
];
const missing = (id: string, length?: number): ProjectedEntry => ({
  entry: { id, source: { url: 'https://media.test/missing.m3u8' } },
  isOfRule: false,
  plannedAt: at(20),
  outcome: { ok: false, reason: 'it is not imported yet' },
  laid: { index: 9, startsAt: at(20), endsAt: at(20), isJoined: false, isCut: false },
  length: length === undefined ? undefined : millis(length),
});
const projected = [
  ...entries.map((entry): ProjectedEntry => {
    return { entry, isOfRule: false, plannedAt: at(0), outcome: undefined, laid: undefined };
  }),
  missing('later', 300_000),
  missing('unmeasured'),
];
const rows = [
  row('film', -10, 20, 5),
  row(undefined, 20, 25),
  row('series', 25, 40, 30, 38),
  inserted,
  row('series', 41, 60, 50),
  row('trailer', 60, 61),
  row('match', 61, 151),
  row('race', 151, 241),
  row('film', 241, 300, 250),
];
const channel = { id: 'one', tenant: 'acme', type: 'vod2live', name: 'One' } as LinearChannel;
const modifiedAt = '2026-11-30T12:00:00.000Z';
const found = upcomingProgrammes({ rows, entries: projected }, { from: at(1), to: at(200) });
const events = found.map((one) => eventOf(channel, one, { viewers: undefined, country: undefined, modifiedAt }));

test('what has started, what starts later than the range, filler and hidden entries are no events', () => {
  expect(events.map(({ id, scheduledstart, scheduledend }) => [id, scheduledstart, scheduledend])).toEqual([
    ['one/later', at(20), at(25)],
    ['one/series', at(25), at(60)],
    ['one/match', at(61), at(151)],
    ['one/race', at(151), at(241)],
  ]);
});

test('an event says what is known of it, and no URL of a source', () => {
  expect(events[1]).toEqual({
    id: 'one/series',
    scheduledstart: at(25),
    scheduledend: at(60),
    flexibleend: 0,
    eventstatus: 1,
    content: {
      id: 'one/series',
      title: 'Part 2',
      series: 'Series',
      season: '3',
      episode: 2,
      genre: 'Drama',
      rating: 'TV-14',
      lang: 'pt',
      live: 0,
      channel: { id: 'one', name: 'One' },
      data: [{ name: 'eidr', cids: ['10.5240/7791-8534-2C23-9030-8610-5'] }],
    },
    inventoryconfig: { supportedmtype: [2], totaladdurationsec: 136, expectedpodcount: 3, unplanned: 0 },
    lastmodifieddate: Date.parse(modifiedAt),
  });
  expect(JSON.stringify(events)).not.toMatch(/https?:/);
});

test('what cannot be played yet is an event whose breaks are not known', () =>
  expect(events[0]?.inventoryconfig).toEqual({ supportedmtype: [2], unplanned: 0 }));

test('a live entry has breaks without notice, and may have no fixed end', () => {
  const [, , match, race] = events;
  for (const event of [match, race]) expect(event?.inventoryconfig).toEqual({ supportedmtype: [2], unplanned: 1 });
  expect([match?.flexibleend, race?.flexibleend]).toEqual([1, 0]);
  expect(match?.content).toEqual({ id: 'one/match', title: 'One', live: 1, channel: { id: 'one', name: 'One' } });
});

test('viewers are stated with the country, if either is known', () => {
  const [programme] = found;
  const viewers = { expectedpeak: 12, lowerbound: 3 };
  const withFacts = (facts: object) =>
    programme && eventOf(channel, programme, { viewers, country: undefined, modifiedAt, ...facts }).streamsdata;
  expect(withFacts({})).toEqual([viewers]);
  expect(withFacts({ country: 'DEU' })).toEqual([{ country: 'DEU', ...viewers }]);
  expect(withFacts({ country: 'DEU', viewers: undefined })).toBeUndefined();
});
