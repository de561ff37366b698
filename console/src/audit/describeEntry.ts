// SPDX-License-Identifier: Apache-2.0
// An entry of the audit log in words, and its changes as rows.

import { sourceName } from '../../../src/channels/sourceName.ts';
import type { AuditEntryResponse } from '../../../src/platform/audit/contract/auditContract.ts';
import type { NamedKind } from '../api/recordNames.ts';
import { capitalized, fieldLabel } from '../format/labels.ts';

type Entry = Pick<
  AuditEntryResponse,
  'operation' | 'record' | 'outcome' | 'changes' | 'moreChanges' | 'before' | 'after' | 'details'
>;

const MAX_NAMED = 3;

/** The names in a JSON Pointer. */
const namesIn = (path: string): string[] =>
  path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

/** `/adSource/url` → `adSource.url` */
const fieldName = (path: string): string => namesIn(path).join('.') || 'record';

const breakActions: Readonly<Record<string, string>> = {
  insert: 'inserted a break on',
  end: 'ended a break on',
  cancel: 'cancelled a break on',
};

type SignInDetails = { readonly reason?: string; readonly attempts?: number };

/** The verb of an entry about users who sign in to the console. */
function sessionVerb(operation: string, outcome: string, { reason = '', attempts = 1 }: SignInDetails = {}): string {
  if (outcome === 'refused') return `sign-in refused (${reason}${attempts > 1 ? `, ${attempts} attempts` : ''})`;
  if (operation === 'signIn') return 'signed in';
  if (operation === 'signOut') return 'signed out';
  return operation === 'endConsoleSession' ? 'ended a session of' : 'ended all sessions of';
}

/** Who it was; a refused sign-in can be by anyone. */
export const actorName = ({ email, name, id }: AuditEntryResponse['actor']): string =>
  email ?? name ?? (id || 'Unknown');

/** What was done, up to the name of the record: `changed adSource.url of channel`. */
function verbOf({ operation, record: { kind }, outcome, changes, moreChanges = 0, details }: Entry): string {
  const action = (details as { action?: string } | undefined)?.action ?? '';
  if (operation === 'orderBreak') return breakActions[action] ?? 'changed a break on';
  if (operation === 'rotateKey') return 'rotated key';
  if (operation === 'restoreDeleted') return `restored ${kind}`;
  if (operation === 'retryAsset') return 'retried creative';
  if (operation === 'addAssets') return 'added creative';
  if (kind === 'session') return sessionVerb(operation, outcome, details as SignInDetails | undefined);
  const noun = kind === 'asset' ? 'creative' : kind;
  if (outcome === 'unchanged') return `saved without changes ${noun}`;
  if (outcome !== 'changed') return `${outcome === 'done' ? fieldLabel(operation).toLowerCase() : outcome} ${noun}`;
  const fields = changes.slice(0, MAX_NAMED).map(({ path }) => fieldName(path));
  const rest = changes.length + moreChanges - fields.length;
  const listed =
    rest > 0 ? `${fields.join(', ')} and ${rest} more` : fields.join(', ').replace(/, ([^,]*)$/, ' and $1');
  return `changed ${listed} of ${noun}`;
}

/** @returns the action as a sentence without its subject, and the name of the record */
export function describeEntry(entry: Entry): { readonly action: string; readonly name: string } {
  const verb = verbOf(entry);
  const { kind, id = '', name = '' } = entry.record;
  // Creatives are named by their URLs.
  return { action: capitalized(verb), name: (kind === 'asset' && name !== '' ? sourceName(name) : name) || id };
}

function valueAt(record: object | undefined, path: string): unknown {
  let value: unknown = record;
  for (const name of namesIn(path)) {
    // Values of large records are omitted, with a text in their place.
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);

export type ChangeRow = { readonly field: string; readonly before: string; readonly after: string };

/** Each field that differs. For a created or deleted record and for actions, each field that it has. */
export function changeRows({ outcome, changes, before, after, details }: Entry): ChangeRow[] {
  if (outcome === 'changed')
    return changes.map(({ path }) => ({
      field: fieldName(path),
      before: textOf(valueAt(before, path)),
      after: textOf(valueAt(after, path)),
    }));
  if (outcome === 'unchanged' && details === undefined) return [];
  const rows = (record: object | undefined, side: 'before' | 'after') =>
    Object.entries(record ?? {}).map(([field, value]) => ({ field, before: '', after: '', [side]: textOf(value) }));
  return outcome === 'deleted' ? rows(before, 'before') : rows(after ?? details, 'after');
}

// Where entries of the audit log contain ids of records that have names.

const kinds: Readonly<Record<string, NamedKind>> = {
  channel: 'channels',
  playlist: 'playlists',
  system: 'systems',
  'ad source': 'adSources',
};
const fields: readonly (readonly [RegExp, NamedKind])[] = [
  [/(^|\.)playlistId$/, 'playlists'],
  [/(^|\.)systemId$/, 'systems'],
  [/^adSteps\.\d+\.sources(\.\d+)?$/, 'adSources'],
  [/(^|\.)channels(\.\d+)?$/, 'channels'],
];

/** @param kind of a record in the audit log */
export const namedKind = (kind: string): NamedKind | undefined =>
  Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;

/** @param field `playlistId`, `channels.0` */
export const namedField = (field: string): NamedKind | undefined =>
  fields.find(([pattern]) => pattern.test(field))?.[1];

/** The ids in the value of a field, as the audit log shows it: one, or a list in JSON. */
export function idsInValue(text: string): string[] {
  if (!text.startsWith('[')) return text === '' ? [] : [text];
  try {
    return (JSON.parse(text) as unknown[]).filter((id): id is string => typeof id === 'string');
  } catch {
    // Large values are shortened.
    return [];
  }
}
