// SPDX-License-Identifier: Apache-2.0
// A schedule as in the API, or a list of entries. The values of fields are not checked: the schema of the API does that.
import { fieldsOf, isFields } from '../../channels/fieldsOf.ts';
import type { Entry } from '../schedule.ts';
import type { ScheduleReading } from './reading.ts';

export function readJson(text: string, into: ScheduleReading): void {
  const value = parsed(text);
  if (value instanceof SyntaxError) into.error({ path: '' }, `is not JSON: ${value.message}`);
  else readDocument(value, into);
}

function readDocument(value: unknown, into: ScheduleReading): void {
  const { entries, ...settings } = Array.isArray(value) ? { entries: value } : fieldsOf(value);
  if (!Array.isArray(entries)) {
    into.error({ path: '' }, 'must be a list of entries, or an object with entries');
    return;
  }
  if (isFields(value)) into.settings = settings;
  const list = isFields(value) ? '/entries' : '';
  for (const [index, entry] of (entries as readonly unknown[]).entries()) {
    const path = `${list}/${index}`;
    if (!into.next({ path })) return;
    const { id, source } = fieldsOf(entry);
    const { url, playlistId } = fieldsOf(source);
    if (!isFields(entry)) into.error({ path }, `must be an object; got ${entry === null ? 'null' : typeof entry}`);
    else if (id !== undefined && typeof id !== 'string') into.error({ path: `${path}/id` }, 'must be a text');
    else if (typeof (url ?? playlistId) !== 'string')
      into.error({ path: `${path}/source` }, 'must have a url or a playlistId');
    else into.add(entry as Entry, { path });
  }
}

/** Nothing that JSON can express is a SyntaxError. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
}

export const writeJson = (entries: readonly Entry[]): string => `${JSON.stringify({ entries }, null, 2)}\n`;
