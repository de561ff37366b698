// SPDX-License-Identifier: Apache-2.0
// What every form of a schedule is read into. An element or line that cannot be read costs its entry, not the others.
import { type Fields, fieldsOf } from '../../channels/fieldsOf.ts';
import { sourceName } from '../../channels/sourceName.ts';
import { withoutUndefined } from '../../invariant.ts';
import { quoted } from '../../mrss/feedElements.ts';
import type { Entry } from '../schedule.ts';
import type { FlatEntry, Reject } from './entryFields.ts';

/** A line, counted from 1. `field`: of the entry; in JSON, a JSON Pointer (RFC 6901) into the document. */
export type Place = { readonly line: number; readonly field?: string };
/** The message continues the name of the field, or of the document. */
export type ScheduleNotice = Place & { readonly message: string };

export type ReadSchedule = {
  /** JSON: as sent; only that they are objects with a source has been checked. */
  readonly entries: readonly Entry[];
  /** The place of each entry; its `field` is set in JSON only. */
  readonly places: readonly Place[];
  /** The number of entries that are left out because of errors. */
  readonly skipped: number;
  /** JSON: what stands beside the entries, as sent. */
  readonly settings?: Fields;
  /** What was ignored without loss. At most 500. */
  readonly notices: readonly ScheduleNotice[];
  /** At most 500. Their entries are left out. */
  readonly errors: readonly ScheduleNotice[];
  /** Of all errors, listed or not. */
  readonly errorCount: number;
};

/** Characters. A year of half hours has about 10 million. */
export const MAX_LENGTH = 32 << 20;
export const MAX_ENTRIES = 50_000;
/** Thirty for each entry of a year of half hours. */
export const MAX_ELEMENTS = 600_000;
/** Entries that are read or written at once. */
export const ENTRIES_IN_SLICE = 50;
export const MAX_LISTED = 500;

type Draft = Omit<Entry, 'id'> & { readonly id?: string };

export class ScheduleReading {
  settings: Fields | undefined;
  readonly #drafts: { readonly draft: Draft; readonly place: Place }[] = [];
  readonly #notices: ScheduleNotice[] = [];
  readonly #errors: ScheduleNotice[] = [];
  #errorCount = 0;
  #count = 0;

  /** Counts an entry, also one with errors. @returns false if there are too many: then nothing more is read */
  next(place: Place): boolean {
    this.#count += 1;
    if (this.#count <= MAX_ENTRIES) return true;
    this.error(place, `has more than ${MAX_ENTRIES} entries; the rest is not read`);
    return false;
  }

  /** Nothing of the document can be used. */
  refuse(place: Place, message: string): void {
    this.#drafts.length = 0;
    this.error(place, message);
  }

  add(draft: Draft, place: Place): void {
    this.#drafts.push({ draft, place });
  }

  /** Adds the entry of a line, unless it has errors. @returns as `next` */
  read(line: number, fieldsOfEntry: (reject: Reject) => FlatEntry): boolean {
    if (!this.next({ line })) return false;
    let isFaulty = false;
    const reject: Reject = (field, message) => {
      isFaulty = true;
      this.error(field === undefined ? { line } : { line, field }, message);
    };
    const fields = fieldsOfEntry(reject);
    const draft = isFaulty ? undefined : draftOf(fields, reject);
    if (draft !== undefined) this.add(draft, { line });
    return true;
  }

  notice(place: Place, message: string): void {
    if (this.#notices.length < MAX_LISTED) this.#notices.push({ ...place, message });
  }

  error(place: Place, message: string): void {
    this.#errorCount += 1;
    if (this.#errors.length < MAX_LISTED) this.#errors.push({ ...place, message });
  }

  /** Gives ids to entries that have none. An id that another entry has is an error. */
  finished(): ReadSchedule {
    const firstPlaces = new Map<string, Place>();
    const unique = this.#drafts.filter(({ draft: { id }, place }) => {
      if (id === undefined) return true;
      const first = firstPlaces.get(id);
      if (first === undefined) firstPlaces.set(id, place);
      else this.error(fieldPlace(place, 'id'), `must be unique; ${quoted(id)} is also the id in ${describe(first)}`);
      return first === undefined;
    });
    const nextNumbers = new Map<string, number>();
    const used = new Set(firstPlaces.keys());
    const entries = unique.map(({ draft }): Entry => {
      const id = draft.id ?? freeId(idOf(draft), used, nextNumbers);
      used.add(id);
      return { ...draft, id };
    });
    return {
      entries,
      places: unique.map(({ place }) => place),
      skipped: this.#count - entries.length,
      ...withoutUndefined({ settings: this.settings }),
      notices: this.#notices,
      errors: this.#errors,
      errorCount: this.#errorCount,
    };
  }
}

const fieldPlace = ({ line, field: entry }: Place, field: string): Place => ({
  line,
  field: entry === undefined ? field : `${entry}/${field}`,
});

const describe = ({ line, field }: Place): string => field ?? `line ${line}`;

const MAX_SLUG = 40;

/** From what stays when a schedule is sent again: `20261201T1800Z-news`. */
function idOf({ start, title, source }: Draft): string {
  // Fields of JSON may be of any type.
  const { url, playlistId } = fieldsOf(source);
  const names = [title, playlistId, typeof url === 'string' ? sourceName(url) : undefined];
  const slug = names
    .find((name) => typeof name === 'string')
    ?.slice(0, 3 * MAX_SLUG)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z\d]+/g);
  const instant = Date.parse(start ?? '');
  const time = Number.isNaN(instant)
    ? []
    : [
        new Date(instant)
          .toISOString()
          .replace(/[-:]|\.\d+/g, '')
          .replace(/00Z$/, 'Z'),
      ];
  return [...time, slug?.join('-').slice(0, MAX_SLUG).replace(/-$/, '') ?? 'entry'].join('-');
}

/** @param nextNumbers what follows an id that is taken; without them, many equal titles would be compared with each other */
function freeId(id: string, used: ReadonlySet<string>, nextNumbers: Map<string, number>): string {
  if (!used.has(id)) return id;
  let number = nextNumbers.get(id) ?? 2;
  while (used.has(`${id}-${number}`)) number += 1;
  nextNumbers.set(id, number + 1);
  return `${id}-${number}`;
}

/** The entry of these fields. @param reject is called if they name no source, or two */
function draftOf({ url, in: from, out, playlistId, ...fields }: FlatEntry, reject: Reject): Draft | undefined {
  const asset = withoutUndefined({ url, in: from, out });
  if (playlistId !== undefined && Object.keys(asset).length > 0)
    reject('playlistId', 'must not be given together with url, in or out');
  else if (playlistId !== undefined) return { ...fields, source: { playlistId } };
  else if (url === undefined) reject('url', 'is required; got neither url nor playlistId');
  else return { ...fields, source: { ...asset, url } };
  return undefined;
}
