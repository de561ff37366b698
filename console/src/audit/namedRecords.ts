// SPDX-License-Identifier: Apache-2.0
// Where entries of the audit log contain ids of records that have names.

export type NamedRecords = 'channels' | 'playlists' | 'systems';

const kinds: Readonly<Record<string, NamedRecords>> = {
  channel: 'channels',
  playlist: 'playlists',
  system: 'systems',
};
const fields: readonly (readonly [RegExp, NamedRecords])[] = [
  [/(^|\.)playlistId$/, 'playlists'],
  [/(^|\.)systemId$/, 'systems'],
  [/(^|\.)channels(\.\d+)?$/, 'channels'],
];

/** @param kind of a record in the audit log */
export const namedKind = (kind: string): NamedRecords | undefined =>
  Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;

/** @param field `playlistId`, `channels.0` */
export const namedField = (field: string): NamedRecords | undefined =>
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
