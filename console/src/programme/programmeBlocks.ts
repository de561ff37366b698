// SPDX-License-Identifier: Apache-2.0
// A schedule as the blocks of a week: where the server has placed its programmes, or where they will be before that is checked.
import { groupBy } from '../../../src/invariant.ts';
import type { ScheduleTimeline } from '../../../src/platform/schedules/contract/scheduleContract.ts';
import { placeInOrder } from '../../../src/scheduling/placeInOrder.ts';
import { formatDateTimeSeconds, formatDuration } from '../format/time.ts';
import { type Entry, type EntryFields, programmeName } from './programmeDraft.ts';

type Row = ScheduleTimeline['timeline'][number];

export type Block = {
  /** Unique, and the same wherever its programme moves. */
  readonly key: string;
  readonly kind: Row['kind'];
  readonly title: string;
  /** Milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly entryId?: string;
  /** Set for an entry of a rule. */
  readonly ruleId?: string;
  /** The start that it states, milliseconds. */
  readonly plannedStart?: number;
  readonly breaks: readonly { readonly at: number /** Seconds. */; readonly duration: number }[];
  /** Whether its last part is not shown. */
  readonly isCut: boolean;
  /** Planned, but never on air. */
  readonly isOut: boolean;
  readonly isLive: boolean;
  /** What an operator should know, a sentence each. */
  readonly notes: readonly string[];
};

const names: Readonly<Record<Row['kind'], string>> = {
  entry: 'Programme',
  filler: 'Filler',
  slate: 'Slate',
  inserted: 'Inserted break',
};
export const isProgramme = ({ kind }: Block): boolean => kind === 'entry';
export const isGap = ({ kind }: Block): boolean => kind === 'filler' || kind === 'slate';

const NAMED = /^(?:".*" \(([\w.~@:-]+)\)|Entry "([\w.~@:-]+)")/s;
/** The id of the entry that a warning names. */
export const warnedEntry = (warning: string): string | undefined => {
  const [, titled, untitled] = NAMED.exec(warning) ?? [];
  return titled ?? untitled;
};

/** A warning with its times in the zone of the console. */
export const localWarning = (warning: string): string =>
  warning.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (time) => formatDateTimeSeconds(time));

/** Starts differ from those that were planned by less than a frame. @param time milliseconds */
export const wholeSecond = (time: number): number => Math.round(time / 1000) * 1000;

const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));

/** @param entries those of the schedule in the time of the timeline */
export function blocksOf({ from, to, timeline, warnings }: ScheduleTimeline, entries: readonly Entry[]): Block[] {
  const notes = groupBy(warnings.map(localWarning), warnedEntry);
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const seen = new Set<string>();
  const rows = timeline.map((row): Block => {
    const { kind, entryId, ruleId, startsAt, endsAt, title, cut, plannedStart } = row;
    const entry = known.get(entryId ?? '');
    const isFirst = entryId === undefined || !seen.has(entryId);
    if (entryId !== undefined) seen.add(entryId);
    return {
      kind,
      isCut: cut !== undefined,
      isOut: false,
      isLive: entry !== undefined && isLive(entry),
      key: isFirst && entryId !== undefined ? entryId : `${kind} ${startsAt}`,
      title: title ?? (entry === undefined ? (entryId ?? names[kind]) : programmeName(entry)),
      from: Date.parse(startsAt),
      to: Date.parse(endsAt),
      ...(entryId === undefined ? {} : { entryId }),
      ...(ruleId === undefined ? {} : { ruleId }),
      ...(plannedStart === undefined ? {} : { plannedStart: Date.parse(plannedStart) }),
      breaks: row.breaks.map((one) => ({ at: Date.parse(one.startsAt), duration: one.duration })),
      notes: entryId === undefined ? [] : (notes.get(entryId) ?? []),
    };
  });
  const missing = entries.flatMap((entry): Block[] => {
    const start = timeOf(entry.start);
    if (start === undefined || start < Date.parse(from) || seen.has(entry.id)) return [];
    return [outBlock(entry, start, notes.get(entry.id) ?? ['Not on air: another programme starts before it does.'])];
  });
  // After the last programme, the timeline ends: the filler continues.
  const shown = withGaps(rows, rows[0]?.from ?? Date.parse(from), Date.parse(to));
  return [...shown, ...missing].sort((one, other) => one.from - other.from);
}

const isLive = ({ source }: Entry): boolean => 'live' in source;

const outBlock = (entry: Entry, at: number, notes: readonly string[]): Block => ({
  key: entry.id,
  entryId: entry.id,
  kind: 'entry',
  title: programmeName(entry),
  plannedStart: at,
  from: at,
  to: at,
  breaks: [],
  isCut: false,
  isOut: true,
  isLive: isLive(entry),
  notes,
});

// Where programmes will be, before the server has checked it.

type Length = {
  readonly ms: number;
  readonly breaks: readonly { readonly offset: number; readonly duration: number }[];
};
/** By what is played. */
export type Lengths = ReadonlyMap<string, Length>;

const lengthKey = ({ source, breaks }: Pick<EntryFields, 'source' | 'breaks'>): string =>
  JSON.stringify([source, breaks]);

/** The lengths that a timeline shows. Of programmes that play the same, the longest: others may be cut. */
export function lengthsOf(blocks: readonly Block[], entries: readonly Entry[]): Lengths {
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const lengths = new Map<string, Length>();
  for (const { entryId, from, to, breaks, isOut } of blocks) {
    const entry = known.get(entryId ?? '');
    if (entry === undefined || isOut) continue;
    const key = lengthKey(entry);
    const ms = to - from;
    if (ms > (lengths.get(key)?.ms ?? 0))
      lengths.set(key, { ms, breaks: breaks.map(({ at, duration }) => ({ offset: at - from, duration })) });
  }
  return lengths;
}

/** Of an entry whose source was not read yet. */
const UNKNOWN_MS = 1_800_000;

function lengthOf(entry: Entry, lengths: Lengths, secondsOf: (url: string) => number | undefined): Length {
  const known = lengths.get(lengthKey(entry));
  const { source, duration } = entry;
  if (duration !== undefined && duration > 0) return { ms: duration * 1000, breaks: known?.breaks ?? [] };
  if ('live' in source) return { ms: source.live.plannedDuration * 1000 || UNKNOWN_MS, breaks: [] };
  if (known !== undefined) return known;
  if (!('url' in source)) return { ms: UNKNOWN_MS, breaks: [] };
  const end = source.out ?? secondsOf(source.url);
  const ms = end === undefined ? UNKNOWN_MS : (end - (source.in ?? 0)) * 1000;
  return { ms: ms > 0 ? ms : UNKNOWN_MS, breaks: [] };
}

type Item = {
  readonly start: number | undefined;
  readonly length: number;
  /** Of a rule: it stays where the server has placed it. */
  readonly block?: Block;
  readonly entry?: Entry;
};

/**
 * @param blocks of the timeline before the changes
 * @param secondsOf the length of a source that was checked
 */
export function estimateBlocks(
  entries: readonly Entry[],
  blocks: readonly Block[],
  lengths: Lengths,
  secondsOf: (url: string) => number | undefined,
  { from, to }: { readonly from: number; readonly to: number },
): Block[] {
  const ofRules = blocks.filter(({ ruleId }) => ruleId !== undefined);
  // The first of them may follow one that started earlier.
  const first = blocks.find(({ entryId }) => entryId === entries[0]?.id)?.from ?? from;
  const items: Item[] = [
    ...entries.map((entry) => ({ start: timeOf(entry.start), length: lengthOf(entry, lengths, secondsOf).ms, entry })),
    ...ofRules.map((block) => ({ start: block.from, length: block.to - block.from, block })),
  ];
  const placed = placeInOrder(items, first);
  const made = placed.flatMap(({ item, at }, index): Block[] => {
    if (item.entry === undefined) return item.block === undefined ? [] : [item.block];
    const next = placed[index + 1];
    const end = Math.min(at + item.length, next?.at ?? Number.POSITIVE_INFINITY);
    return [estimated(item.entry, at, end, lengthOf(item.entry, lengths, secondsOf), next?.item)];
  });
  return withGaps(
    made.filter((block) => block.to > from && block.from < to),
    from,
    to,
  );
}

function estimated(entry: Entry, at: number, end: number, { ms, breaks }: Length, next: Item | undefined): Block {
  const lost = at + ms - end;
  const by = next?.block?.title ?? (next?.entry === undefined ? '' : programmeName(next.entry));
  const cut = `Cut by ${formatDuration(lost / 1000)}: “${by}” starts then.`;
  const planned = timeOf(entry.start);
  if (end <= at) return outBlock(entry, at, [`Not on air: “${by}” starts at the same time.`]);
  return {
    key: entry.id,
    entryId: entry.id,
    kind: 'entry',
    title: programmeName(entry),
    from: at,
    to: end,
    ...(planned === undefined ? {} : { plannedStart: planned }),
    breaks: breaks.flatMap(({ offset, duration }) => (at + offset < end ? [{ at: at + offset, duration }] : [])),
    isCut: lost > 0,
    isOut: false,
    isLive: isLive(entry),
    notes: lost > 0 ? [cut] : [],
  };
}

function withGaps(blocks: readonly Block[], from: number, to: number): Block[] {
  const all: Block[] = [];
  let time = from;
  const fill = (until: number) => {
    if (until <= time) return;
    const last = all.at(-1);
    if (last?.kind === 'filler' && last.to === time) {
      all[all.length - 1] = { ...last, to: until };
      return;
    }
    const gap = { key: `filler ${time}`, kind: 'filler', title: names.filler, from: time, to: until } as const;
    all.push({ ...gap, breaks: [], isCut: false, isOut: false, isLive: false, notes: [] });
  };
  for (const block of blocks) {
    fill(block.from);
    all.push(block);
    time = Math.max(time, block.to);
  }
  fill(to);
  return all;
}
