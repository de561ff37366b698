// SPDX-License-Identifier: Apache-2.0
// An operator who changes a schedule while it is on air: adds, moves, shortens and removes entries, replaces a range, and undoes.
import type { HoursStage } from './hoursStage.ts';
import { filmLengths, type PlannedEntry } from './plannedHours.ts';

type Stored = {
  readonly id: string;
  readonly start?: string;
  readonly duration?: number;
  readonly source: { readonly live?: { readonly plannedDuration: number } };
};

/** A start as the schedule states it, and since when. */
export type WantedStart = { readonly at: number; readonly since: number };

const iso = (at: number): string => new Date(at).toISOString();
/** Between two starts, so that what is between them can be seen, and before a start that is changed. */
const APART_MS = 40_000;
const MINUTE_MS = 60_000;

export function createOperator({ clock, api, toEntry }: HoursStage, random: () => number) {
  /** By id, with all that were wanted: what was shown stays when an entry is changed afterwards. */
  const starts = new Map<string, WantedStart[]>();
  const done: string[] = [];
  let count = 0;
  const between = (from: number, to: number): number => from + Math.floor(random() * (to - from));
  const choose = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const startOf = ({ start }: Stored): number => (start === undefined ? Number.NaN : Date.parse(start));

  async function look(): Promise<readonly Stored[]> {
    const { entries } = (await api('GET', '/schedule')) as { entries: readonly Stored[] };
    const now = clock.now();
    for (const entry of entries) {
      const known = starts.get(entry.id) ?? [];
      const at = entry.start === undefined ? undefined : startOf(entry);
      const last = known.at(-1);
      if (last !== undefined && last.at !== at && last.at > now) known.pop();
      if (at !== undefined && known.at(-1)?.at !== at) known.push({ at, since: now });
      starts.set(entry.id, known);
    }
    const ids = new Set(entries.map(({ id }) => id));
    for (const [id, known] of starts) if (!ids.has(id) && known.at(-1) && known.at(-1)!.at > now) known.pop();
    return entries;
  }

  const films = (entries: readonly Stored[], from: number, to: number): Stored[] =>
    entries.filter((entry) => !entry.source.live && startOf(entry) > from && startOf(entry) < to);
  /** Live programmes are interrupted now and then only: most of them are to be seen as they were planned. */
  function isFree(entries: readonly Stored[], at: number, except = ''): boolean {
    const around = (entry: Stored): number =>
      entry.source.live === undefined || random() < 0.1 ? APART_MS : 1000 * entry.source.live.plannedDuration;
    return entries.every((entry) => {
      const after = at - startOf(entry);
      return entry.id === except || !(after > -APART_MS && after < around(entry));
    });
  }
  const newEntry = (start: number): Promise<object> => {
    count += 1;
    const film = choose(filmLengths)!;
    return toEntry({ id: `x${count}`, start, plays: { film } } satisfies PlannedEntry);
  };

  /** @returns what it did; undefined if there was nothing to do it with */
  async function change(entries: readonly Stored[]): Promise<string | undefined> {
    const now = clock.now();
    // Some edits concern what begins before they can take effect.
    const soonest = now + (random() < 0.25 ? 1000 : 30_000);
    const kind = choose(['add', 'add', 'move', 'shorten', 'remove', 'replace', 'undo', 'undo'])!;
    const target = choose(films(entries, soonest, now + 40 * MINUTE_MS));
    switch (kind) {
      case 'add': {
        const at = between(soonest, now + 15 * MINUTE_MS);
        if (!isFree(entries, at)) return undefined;
        await api('PATCH', '/schedule', { entries: [await newEntry(at)] });
        return `add at ${iso(at)}`;
      }
      case 'move': {
        const at = target && startOf(target) + between(-3 * MINUTE_MS, 3 * MINUTE_MS);
        if (target === undefined || at === undefined || at < soonest || !isFree(entries, at, target.id))
          return undefined;
        await api('PATCH', '/schedule', { entries: [{ id: target.id, start: iso(at) }] });
        return `move ${target.id} to ${iso(at)}`;
      }
      case 'shorten': {
        if (target === undefined) return undefined;
        const duration = between(50, 300);
        await api('PATCH', '/schedule', { entries: [{ id: target.id, duration }] });
        return `shorten ${target.id} to ${duration} s`;
      }
      case 'remove': {
        if (target === undefined) return undefined;
        await api('PATCH', '/schedule', { remove: [target.id] });
        return `remove ${target.id}`;
      }
      case 'replace': {
        const from = between(soonest, now + 20 * MINUTE_MS);
        const to = from + between(2 * MINUTE_MS, 15 * MINUTE_MS);
        const isLiveThere = entries.some((entry) => entry.source.live && startOf(entry) >= from && startOf(entry) < to);
        const at = between(from, to - MINUTE_MS);
        const others = entries.filter((entry) => !(startOf(entry) >= from && startOf(entry) < to));
        if (isLiveThere || !isFree(others, at)) return undefined;
        await api('PUT', `/schedule?from=${iso(from)}&to=${iso(to)}`, { entries: [await newEntry(at)] });
        return `replace from ${iso(from)} to ${iso(to)}`;
      }
      default:
        // What was ended by hand would be on air again.
        if (done.length === 0 || done.at(-1)!.includes('end ')) return undefined;
        await api('POST', '/schedule/undo');
        return 'undo';
    }
  }

  return {
    starts,
    /** What was done, with its time, for the message of a failure. */
    done,
    look,
    async edit(): Promise<void> {
      for (let tries = 0; tries < 20; tries += 1) {
        const what = await change(await look());
        if (what === undefined) continue;
        done.push(`${iso(clock.now())} ${what}`);
        await look();
        return;
      }
    },
    async end(id: string): Promise<void> {
      await api('POST', `/schedule/entries/${id}/end`);
      done.push(`${iso(clock.now())} end ${id}`);
      await look();
    },
  };
}
