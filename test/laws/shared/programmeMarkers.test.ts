// SPDX-License-Identifier: Apache-2.0
// What a channel shows to everyone states where each entry of its schedule starts and ends, once, in HLS and DASH, with edits and breaks
// by hand; and readers find the same breaks in it as without.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replan } from '../../../src/channels/schedule/replan.ts';
import { channelMediaText, channelMpdText } from '../../../src/http/live/guided/channelRoutes.ts';
import { channelView } from '../../../src/playback/view/channelView.ts';
import { readPayload } from '../../../src/scte35/readSection.ts';
import { type Flicks, millis } from '../../../src/time/units.ts';
import { lawRuns } from '../../lawRuns.ts';
import { readTags } from '../../markers/markedBreaks.ts';
import { currentOf, type Order, planned } from '../insertedBreaks.ts';
import { airingOf, compiled, type SyntheticChannel } from '../syntheticChannel.ts';
import { assets, begun, replanned, START, type TestEntry, timedList } from './syntheticSchedule.ts';

const HOUR = 3_600_000;
const CLOCK = 'https://live.test/time';
const out = { dialect: 'both', ahead: 4000 } as const;

type Signal = { readonly what: 'start' | 'end'; readonly eventId: number; readonly at: number };

const names = new Map([
  [0x10, 'start'],
  [0x11, 'end'],
] as const);

function signalOf(payload: string, at: number): Signal | undefined {
  const section = readPayload(payload);
  if ('refused' in section) throw new Error(section.refused);
  expect(section.warnings).toEqual([]);
  const [segmentation] = section.segmentations;
  if (segmentation === undefined) return undefined;
  const { eventId, typeId } = segmentation;
  return { what: names.get(typeId as 0x10)!, eventId, at };
}

const RANGE = /^#EXT-X-DATERANGE:ID="([^"]+)",START-DATE="([^"]+)",SCTE35-CMD=(\S+)\n/gm;

const inPlaylist = (text: string): [string, Signal][] =>
  [...text.matchAll(RANGE)].map(([, id, date, payload]) => [id!, signalOf(payload!, Date.parse(date!))!]);

const inMpd = (text: string): [string, Signal][] =>
  [
    ...text.matchAll(
      /<Period id="[^"]*" start="PT([^"]*)S">\n(<EventStream schemeIdUri="urn:scte[\s\S]*?<\/EventStream>)/g,
    ),
  ]
    .map(([, start, stream]) => {
      const events = [
        ...stream!.matchAll(/<Event presentationTime="(\d+)"[^>]* id="(\d+)">[\s\S]*?Binary>(.*)<\/scte35:B/g),
      ];
      return events.map(([, time, id, payload], index) => {
        const signal = signalOf(payload!, Number(time) / 90 + secondsOf(start!) * 1000);
        return { id: id!, signal, index };
      });
    })
    .flatMap((events) => {
      // Some readers use only the first event of a Period.
      const last = events.findLastIndex(({ signal }) => signal === undefined);
      expect(events.every(({ signal, index }) => signal === undefined || index > last)).toBe(true);
      return events.flatMap(({ id, signal }) => (signal === undefined ? [] : [[id, signal] as [string, Signal]]));
    });

/** `1H2M3.5`, without its last unit. */
const secondsOf = (text: string): number => {
  const [, hours = '0', minutes = '0', rest = '0'] = /^(?:(\d+)H)?(?:(\d+)M)?([\d.]+)?$/.exec(text)!;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
};

type Aired = { readonly id: string; readonly at: number; ends: number[] };

/** When entries were on air, from the records. What is inserted after an entry may belong to it. */
function aired({ records, programme }: SyntheticChannel, until: number): Aired[] {
  const shown: Aired[] = [];
  let last: Aired | undefined;
  let ownEnd = 0;
  for (const { id: spanId, placed } of programme.spansBetween(millis(0), millis(until))) {
    const [number, position] = spanId.split('-').map(Number) as [number, number];
    const { slots, entries } = records.find((one) => one.number === number)!;
    const slot = slots[position % slots.length]!;
    if ('inserted' in slot && slot.inserted !== undefined) continue;
    const id = 'follows' in slot && slot.follows !== undefined ? undefined : entries?.[slot.item ?? -1]?.id;
    if (id !== last?.id) {
      if (last !== undefined) last.ends = [ownEnd, placed.startsAt];
      last = id === undefined ? undefined : { id, at: placed.startsAt, ends: [] };
      if (last !== undefined) shown.push(last);
    }
    ownEnd = placed.endsAt;
  }
  return shown;
}

const entryOf = fc.record({
  asset: fc.nat({ max: assets.length - 1 }),
  gap: fc.option(fc.integer({ min: -60, max: 100 }), { nil: undefined }),
  length: fc.option(fc.integer({ min: 20, max: 300 }), { nil: undefined }),
  breaks: fc.array(fc.record({ spliceTime: fc.integer({ min: -1, max: 100 }), maxDuration: fc.constantFrom(10, 30) }), {
    maxLength: 2,
  }),
});
const lists = fc.array(entryOf, { minLength: 2, maxLength: 12 }).map((made): TestEntry[] => {
  let [at, latest] = [0, -1];
  return made.map(({ gap, length, ...one }, index) => {
    const start = index === 0 ? 0 : gap === undefined ? undefined : Math.max(latest + 20, at + gap);
    at = (start ?? at) + (length ?? 120);
    if (start !== undefined) latest = start;
    return {
      ...one,
      id: `entry${index}`,
      ...(start !== undefined && { start }),
      ...(length !== undefined && { length }),
    };
  });
});

function inserted(channel: SyntheticChannel, list: readonly TestEntry[], orders: readonly Order[], now: number) {
  const wishes = {
    inserted: orders.map((order) => planned(channel, order)),
    isOver: () => false,
    longestSegment: channel.ladder.targetDuration * 1000,
  };
  const next = replan(currentOf(channel), timedList(list, now + HOUR), wishes, millis(now + 3000));
  return next === undefined ? channel : compiled({ ...channel, records: next.lineup.map(({ record }) => record) });
}

const ofBreak = ({ at, until, duration }: { at: Flicks; until?: Flicks; duration?: Flicks }) => ({
  at,
  until,
  duration,
});

test('the starts and ends of entries are stated once, and breaks stay what they are', () => {
  let count = 0;
  fc.assert(
    fc.property(lists, lists, fc.array(fc.nat({ max: 900 }), { maxLength: 3 }), (one, other, steps) => {
      const from = START - 20_000;
      let channel = begun(timedList(one, START + 2 * HOUR), from);
      const seen = [new Map<string, Signal>(), new Map<string, Signal>()] as const;
      const end = START + 1_000_000;
      const edits = steps.map((step) => START + step * 1000).sort((a, b) => a - b);
      let [list, orders]: [readonly TestEntry[], Order[]] = [one, []];
      for (let now = from + 20_000; now < end; now += 7000) {
        if (edits[0] !== undefined && now >= edits[0]) {
          edits.shift();
          list = list === one ? other : one;
          channel = replanned(channel, timedList(list, now + HOUR), now);
          orders = [{ id: `o${now}`, kind: 'ads', startsAt: now + 12_000, duration: 15 }];
        } else if (orders.length > 0) channel = inserted(channel, list, orders, now);
        const airing = airingOf(channel, 40);
        const view = channelView({ ...airing, channel: { ...airing.channel, type: 'vod2live' } as never }, millis(now));
        const text = channelMediaText(view, 0, out);
        const mpd = channelMpdText(view, CLOCK, out);
        const found = [inPlaylist(text), inMpd(mpd)];
        for (const [index, signals] of found.entries())
          for (const [id, signal] of signals) {
            const at = index === 0 ? signal.at : signal.at + channel.programme.startedAt;
            const before = seen[index]!.get(id);
            if (before !== undefined) expect({ ...signal, at: expect.closeTo(at, 0) }).toEqual(before);
            else seen[index]!.set(id, { ...signal, at });
          }
        expect(channelMediaText(view, 0, { ...out, dialect: 'cue' })).not.toContain('DATERANGE:ID="programme');
        const plain = readTags(text.replaceAll(RANGE, ''));
        const tags = readTags(text);
        expect(tags.breaks.map(ofBreak)).toEqual(plain.breaks.map(ofBreak));
        expect(tags.warnings).toEqual(plain.warnings);
      }
      const shown = aired(channel, end + 30_000);
      for (const signals of seen) {
        const all = [...signals.values()];
        const of = (what: Signal['what']) => all.filter((signal) => signal.what === what);
        const inRange = (at: number) => at > from + 21_000 && at < end - 20_000;
        const starts = shown.filter(({ at }) => inRange(at));
        const found = of('start').filter(({ at }) => inRange(at));
        expect(found.map(({ at }) => at)).toEqual(starts.map(({ at }) => expect.closeTo(at, 0)));
        const isEnd = (signal: Signal, { ends }: Aired) => ends.some((at) => Math.abs(at - signal.at) < 0.5);
        const ends = of('end').filter(({ at }) => inRange(at));
        for (const signal of ends) expect(shown.some((entry) => isEnd(signal, entry))).toBe(true);
        for (const entry of shown.filter((entry) => entry.ends.length > 0 && entry.ends.every(inRange)))
          expect(ends.filter((signal) => isEnd(signal, entry))).toHaveLength(1);
        // An end has the event id of its start.
        const ids = new Set(of('start').map(({ eventId }) => eventId));
        expect(ids.size).toBe(of('start').length);
        const [first] = found;
        for (const { at, eventId } of of('end')) if (first && at > first.at) expect(ids).toContain(eventId);
        count += starts.length;
      }
    }),
    { ...lawRuns(25), endOnFailure: true },
  );
  expect(count).toBeGreaterThan(0);
});
