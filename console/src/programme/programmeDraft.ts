// SPDX-License-Identifier: Apache-2.0
// Changes of a schedule that are not saved yet. They are kept as changes, not as a whole schedule, so that they can be sent as a
// PATCH, and applied to a version that someone else has saved meanwhile.
import { sourceName } from '../../../src/channels/sourceName.ts';
import { withoutUndefined } from '../../../src/invariant.ts';
import type { SchedulePatch, ScheduleResponse } from '../../../src/platform/schedules/contract/scheduleContract.ts';

export type Entry = ScheduleResponse['entries'][number];
/** What an entry plays and what the guide says of it. Entries of rules have no start. */
export type EntryFields = Omit<Entry, 'start'>;
export type Rule = NonNullable<ScheduleResponse['rules']>[number];
export type Settings = Pick<ScheduleResponse, 'rules' | 'fillerPlaylistId' | 'breaks'>;

/** undefined removes a setting */
export type ChangedSettings = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

type Put = {
  readonly entry: Entry;
  /** As it was read; undefined for a new one. */
  readonly before?: Entry;
  /** The id of the entry that it follows. */
  readonly after?: string;
};
export type Draft = {
  /** New and changed entries. */
  readonly put: readonly Put[];
  readonly removed: readonly string[];
  /** Those that differ; null for one that is removed. */
  readonly settings: Pick<SchedulePatch, 'rules' | 'fillerPlaylistId' | 'breaks'>;
};

export const noChanges: Draft = { put: [], removed: [], settings: {} };

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export const countChanges = ({ put, removed, settings }: Draft): number =>
  put.length + removed.length + Object.keys(settings).length;

export function programmeName({ id, title, source }: EntryFields): string {
  if (title) return title;
  const url = 'url' in source ? source.url : 'live' in source ? source.live.sourceManifestUrl : '';
  return url === '' ? id : sourceName(url);
}

/** An id that is hard to guess twice. @param name what it begins with */
export function newId(name: string): string {
  const word = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 24);
  const bytes = [...crypto.getRandomValues(new Uint8Array(4))];
  return `${word || 'entry'}-${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Adds or changes an entry. A change back to what was read is none. @param stored the entries as they were read */
export function putEntry(draft: Draft, stored: readonly Entry[], entry: Entry, after?: string): Draft {
  const known = draft.put.find((one) => one.entry.id === entry.id);
  const before = known?.before ?? stored.find(({ id }) => id === entry.id);
  const place = after ?? known?.after;
  const put = { entry, ...withoutUndefined({ before, after: place }) };
  const others = draft.put.filter((one) => one !== known);
  if (isSame(before, entry) && place === undefined) return { ...draft, put: others };
  return {
    ...draft,
    put: known === undefined ? [...others, put] : draft.put.map((one) => (one === known ? put : one)),
  };
}

export function removeEntry(draft: Draft, id: string): Draft {
  const known = draft.put.find(({ entry }) => entry.id === id);
  const isNew = known !== undefined && known.before === undefined;
  return {
    ...draft,
    put: draft.put.filter((one) => one !== known),
    removed: isNew ? draft.removed : [...draft.removed, id],
  };
}

/** @param stored the settings as they were read */
export function putSettings(draft: Draft, stored: Settings, changed: ChangedSettings): Draft {
  const settings = { ...draft.settings };
  for (const name of Object.keys(changed) as (keyof Settings)[]) {
    const value = Array.isArray(changed[name]) && changed[name].length === 0 ? undefined : changed[name];
    if (isSame(value, stored[name])) delete settings[name];
    else Object.assign(settings, { [name]: value ?? null });
  }
  return { ...draft, settings };
}

/** The settings that saving results in. */
export const settingsOf = ({ rules, fillerPlaylistId, breaks }: Settings, { settings }: Draft): Settings => {
  const all = Object.entries({ rules, fillerPlaylistId, breaks, ...settings });
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined));
};

/** The entries that saving results in, in the order in which the server places them. */
export function entriesOf(stored: readonly Entry[], { put, removed }: Draft): Entry[] {
  const entries = stored.filter(({ id }) => !removed.includes(id));
  for (const { entry, after } of put) {
    const at = entries.findIndex(({ id }) => id === entry.id);
    if (at >= 0 && after === undefined) {
      entries[at] = entry;
      continue;
    }
    if (at >= 0) entries.splice(at, 1);
    const place = after === undefined ? -1 : entries.findIndex(({ id }) => id === after);
    entries.splice(place < 0 ? entries.length : place + 1, 0, entry);
  }
  return entries;
}

const isFilled = (text: string): boolean => text.trim() !== '';

/** Lists without the rows that were left empty. */
function cleaned<Fields extends Pick<Entry, 'categories' | 'source'>>(entry: Fields): Fields {
  const { categories, source } = entry;
  const backups = 'live' in source ? source.live.backupManifestUrls : undefined;
  return {
    ...entry,
    ...(categories && { categories: categories.filter(isFilled) }),
    ...('live' in source &&
      backups && { source: { live: { ...source.live, backupManifestUrls: backups.filter(isFilled) } } }),
  };
}

const cleanedRule = (rule: Rule): Rule => ({
  ...rule,
  ...(rule.except === undefined ? {} : { except: rule.except.filter(isFilled) }),
  entries: rule.entries.map(cleaned),
});

/** Only the fields that differ, and null for those that are removed. */
function fieldsBetween(before: Entry, after: Entry): Record<string, unknown> & { id: string } {
  const gone = Object.keys(before).flatMap((name) => (name in after ? [] : [[name, null]]));
  const differs = Object.entries(after).filter(([name, value]) => !isSame(before[name as keyof Entry], value));
  return { ...Object.fromEntries([...gone, ...differs]), id: after.id };
}

/** What is sent to check the changes or to save them. Its entries have the order of `put`. */
export function patchOf({ put, removed, settings }: Draft): SchedulePatch {
  const entries = put.map(({ entry, before, after }) => ({
    ...(before === undefined ? cleaned(entry) : fieldsBetween(before, cleaned(entry))),
    ...withoutUndefined({ after }),
  }));
  const { rules } = settings;
  return {
    ...(entries.length > 0 ? { entries } : {}),
    ...(removed.length > 0 ? { remove: [...removed] } : {}),
    ...settings,
    ...(rules ? { rules: rules.map(cleanedRule) } : {}),
  };
}

/** The same changes to a newer version. Of an entry, only the fields that were changed; of the settings, rule by rule. */
export function rebase({ put, removed, settings }: Draft, old: Settings, latest: ScheduleResponse): Draft {
  const known = new Map(latest.entries.map((entry) => [entry.id, entry]));
  const isKnown = (id: string | undefined) => id !== undefined && known.has(id);
  const rebased = put.map(({ entry, before, after }): Put => {
    const place = put.some((one) => one.entry.id === after) || isKnown(after) ? withoutUndefined({ after }) : {};
    const now = known.get(entry.id);
    // Removed meanwhile: the change adds it again.
    if (now === undefined || before === undefined) return { entry, ...place };
    const all = Object.entries({ ...now, ...fieldsBetween(before, entry) }).filter(([, value]) => value !== null);
    return { entry: Object.fromEntries(all) as Entry, before: now, ...place };
  });
  const start: Draft = { put: rebased, removed: removed.filter((id) => known.has(id)), settings: {} };
  const { rules, ...others } = settings;
  const changed = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, value ?? undefined]));
  const merged = rules === undefined ? {} : { rules: mergedRules(old.rules ?? [], rules ?? [], latest.rules ?? []) };
  return putSettings(start, latest, { ...changed, ...merged });
}

/** The rules of the latest version, with those that were changed, added or removed since the old one. */
function mergedRules(old: readonly Rule[], mine: readonly Rule[], latest: readonly Rule[]): Rule[] {
  const of = (list: readonly Rule[], id: string) => list.find((rule) => rule.id === id);
  const isChanged = (rule: Rule) => !isSame(of(old, rule.id), rule);
  const kept = latest.flatMap((rule) => {
    const own = of(mine, rule.id);
    if (own === undefined) return of(old, rule.id) === undefined ? [rule] : [];
    return [isChanged(own) ? own : rule];
  });
  return [...kept, ...mine.filter((rule) => isChanged(rule) && of(latest, rule.id) === undefined)];
}

/** The one field that an edit changes; undefined for an edit of more than that. */
export function editedField(before: Draft, after: Draft): string | undefined {
  if (before.removed !== after.removed) return undefined;
  if (before.settings !== after.settings) return before.put === after.put ? 'settings' : undefined;
  const [one, ...more] = after.put.filter((put) => !before.put.includes(put));
  if (one === undefined || more.length > 0) return undefined;
  const was = before.put.find(({ entry }) => entry.id === one.entry.id)?.entry ?? one.before;
  const [name, ...others] =
    was === undefined ? [] : Object.keys({ ...was, ...one.entry }).filter(differ(was, one.entry));
  return name === undefined || others.length > 0 ? undefined : `${one.entry.id} ${name}`;
}

const differ = (one: Entry, other: Entry) => (name: string) => one[name as keyof Entry] !== other[name as keyof Entry];
