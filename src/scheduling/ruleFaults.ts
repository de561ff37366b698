// SPDX-License-Identifier: Apache-2.0
// Faults of a rule that a JSON schema cannot express. Accepts any value and ignores wrong types, which the schema reports.
import { fieldsOf } from '../channels/fieldsOf.ts';
import { isIsoTime } from '../channels/isIsoTime.ts';
import { type FieldError, fieldError } from '../errors.ts';
import { isTimeZone } from '../time/zone.ts';

const isDate = (text: string): boolean => isIsoTime(`${text}T00:00Z`);
const isTimeOfDay = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text);

const forms = {
  date: { isValid: isDate, expected: 'an existing date from 1970 on, such as "2026-03-01"' },
  time: { isValid: isTimeOfDay, expected: 'a time of day from "00:00" to "23:59:59"' },
  'date-time': { isValid: isIsoTime, expected: 'ISO 8601 with a time zone' },
  'time-zone': { isValid: isTimeZone, expected: 'an IANA name, such as "Europe/Berlin"' },
};

const quoted = (text: string): string => JSON.stringify(text.slice(0, 60));

function formFaults(form: keyof typeof forms, value: unknown, path: string): FieldError[] {
  const { isValid, expected } = forms[form];
  if (typeof value !== 'string' || isValid(value)) return [];
  return [fieldError(form, path, `must be ${expected}; got ${quoted(value)}`)];
}

/** @param path of the rule */
export function ruleFaults(rule: unknown, path: string): FieldError[] {
  const { id, at, repeatUntil, timeZone, from, until, except, ended, entries } = fieldsOf(rule);
  const faults = [
    ...formFaults('time', at, `${path}/at`),
    ...formFaults('time', repeatUntil, `${path}/repeatUntil`),
    ...formFaults('time-zone', timeZone, `${path}/timeZone`),
    ...formFaults('date', from, `${path}/from`),
    ...formFaults('date', until, `${path}/until`),
    ...listOf(except).flatMap((date, index) => formFaults('date', date, `${path}/except/${index}`)),
    ...listOf(ended).flatMap((one, index) => formFaults('date-time', fieldsOf(one).at, `${path}/ended/${index}/at`)),
    ...repeatedIds(listOf(entries), `${path}/entries`),
  ];
  // The ids of expanded entries are those of the rule, the day and the entry, and must not be those of another rule.
  if (typeof id === 'string' && id.includes('@'))
    faults.push(fieldError('id', `${path}/id`, `must not contain @; got ${quoted(id)}`));
  if (typeof from === 'string' && typeof until === 'string' && isDate(from) && isDate(until) && until < from)
    faults.push(fieldError('range', `${path}/until`, `must not be before from, ${quoted(from)}; got ${quoted(until)}`));
  return faults;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** `film.2` is the second repetition of `film`, too. */
function repeatedIds(entries: readonly unknown[], path: string): FieldError[] {
  const ids = entries.map((entry) => fieldsOf(entry).id);
  const known = new Set(ids);
  return ids.flatMap((id, index) => {
    if (typeof id !== 'string') return [];
    const isRepeated = ids.indexOf(id) < index;
    const original = id.replace(/\.\d+$/, '');
    if (!isRepeated && (original === id || !known.has(original))) return [];
    const message = isRepeated ? 'must not be repeated' : `must not be a repetition of ${quoted(original)}`;
    return [fieldError('unique', `${path}/${index}/id`, `${message}; got ${quoted(id)}`)];
  });
}
