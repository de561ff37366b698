// SPDX-License-Identifier: Apache-2.0
// A schedule as XMLTV: the programmes of its entries, with what plays and what XMLTV has no element for.
import { defined } from '../../invariant.ts';
import type { Sliced } from '../../time/sliced.ts';
import type { Entry } from '../schedule.ts';
import { type FieldName, fieldNames, flatten, writeFields } from './entryFields.ts';
import { ENTRIES_IN_SLICE } from './reading.ts';
import { isoOfXmltv } from './readXmltv.ts';
import { OWN_NAMESPACE, programmeElement, wholeSecond, xmltvOf, xmltvTime } from './writeXmltv.ts';

/** @param entries with a start */
export function* writingXmltvSchedule(
  entries: readonly Entry[],
  { id, name }: { readonly id: string; readonly name: string },
): Sliced<string> {
  const programmes: string[] = [];
  for (const [index, entry] of entries.entries()) {
    if (index % ENTRIES_IN_SLICE === 0) yield;
    programmes.push(programmeOf(entry, id));
  }
  return xmltvOf({ id, displayNames: [{ text: name }] }, programmes, OWN_NAMESPACE);
}

function programmeOf(entry: Entry, channel: string): string {
  const flat = flatten(entry);
  const { url, duration, title, subtitle, description, isRepeat } = flat;
  const start = defined(entry.start, 'XMLTV has no entries without a start');
  const startsAt = Date.parse(start);
  const endsAt = startsAt + (duration ?? 0) * 1000;
  const seconds = (wholeSecond(endsAt) - wholeSecond(startsAt)) / 1000;
  const isOwn: Partial<Record<FieldName, boolean>> = {
    start: isoOfXmltv(xmltvTime(startsAt)) !== start,
    duration: seconds !== duration,
    language: (title ?? subtitle ?? description) === undefined,
    isRepeat: isRepeat === false,
  };
  const own = fieldNames.filter((field) => isOwn[field] ?? unexpressed.has(field));
  const times = seconds > 0 ? { startsAt, endsAt } : { startsAt };
  return programmeElement({ ...entry, ...times }, channel, { url, fields: writeFields(flat, own) });
}

const unexpressed: ReadonlySet<FieldName> = new Set([
  'id',
  'in',
  'out',
  'playlistId',
  'breaks',
  'isHidden',
  'upid',
  'bumpers',
]);
