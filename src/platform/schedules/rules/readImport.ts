// SPDX-License-Identifier: Apache-2.0
// The entries of a document that is imported, checked as those of a request. An entry with an error is left out, the others are
// not affected.
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { type FieldError, fieldError, validationError } from '../../../errors.ts';
import { schemaFaults } from '../../../http/admin/request/validate.ts';
import { without } from '../../../http/admin/routes/record.ts';
import type { Range } from '../../../planning/schedule/scheduleDesk.ts';
import { ENTRIES_IN_SLICE, MAX_LISTED, type Place, type ScheduleNotice } from '../../../scheduling/forms/reading.ts';
import { readingSchedule, type ScheduleForm } from '../../../scheduling/forms/readSchedule.ts';
import type { Entry, ScheduleSettings } from '../../../scheduling/schedule.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { ignoredFields, type ScheduleImport, scheduleBody, scheduleEntry } from '../contract/scheduleContract.ts';
import { entryFaults, scheduleFaults } from './scheduleFaults.ts';

export type ImportOptions = {
  /** XMLTV: the channel whose programmes are read. */
  readonly channelId?: string | undefined;
  /** Entries that start outside of it are left out. */
  readonly range?: Range | undefined;
  /** Whether an error refuses the document. */
  readonly isStrict: boolean;
};

export type Import = {
  readonly entries: readonly Entry[];
  /** What the document states beside its entries, in JSON. */
  readonly settings: ScheduleSettings;
  readonly report: Omit<ScheduleImport, 'warnings' | 'timeline'>;
};

/** @throws {AppError} VALIDATION_ERROR if no entry can be used, or one cannot and the import is strict */
export function* readingImport(
  text: string,
  form: ScheduleForm,
  { channelId, range, isStrict }: ImportOptions,
): Sliced<Import> {
  const read = yield* readingSchedule(text, form, channelId === undefined ? {} : { channelId });
  const [errors, notices] = [[...read.errors], [...read.notices]];
  let { errorCount } = read;
  let outside = 0;
  let isOutside = false;
  const entries: Entry[] = [];
  for (const [index, entry] of read.entries.entries()) {
    if (index % ENTRIES_IN_SLICE === 0) yield;
    const place = read.places[index] ?? { line: 1 };
    const faults = [...schemaFaults(scheduleEntry, entry), ...entryFaults(fieldsOf(entry), '')];
    errorCount += faults.length;
    for (const fault of faults) if (errors.length < MAX_LISTED) errors.push(noticeOf(fault, place));
    if (faults.length > 0) continue;
    // Entries without a start belong to the one that they follow.
    if (range !== undefined && entry.start !== undefined) {
      const start = Date.parse(entry.start);
      isOutside = start < range.from || start >= range.to;
    }
    if (isOutside) outside += 1;
    else entries.push(entry);
  }
  const ofSettings = without(read.settings ?? {}, ignoredFields);
  const body = { ...fieldsOf(ofSettings), entries: [] };
  const faults = [...schemaFaults(scheduleBody, body), ...scheduleFaults(body)];
  if (faults.length > 0) throw validationError('Invalid schedule', faults);
  if (errors.length > 0 && (isStrict || entries.length + outside === 0))
    throw validationError('Invalid schedule', errors.map(faultOf));
  if (outside > 0) notices.push({ line: 1, message: `has ${outside} entries that start outside the range` });
  const skipped = read.skipped + read.entries.length - entries.length;
  const report = { entries: entries.length, skipped, errors, errorCount, notices };
  return { entries, settings: fieldsOf(ofSettings) as ScheduleSettings, report };
}

/** CSV and XML name the fields of an entry without its source. */
const noticeOf = ({ dataPath, message }: FieldError, { line, field: entry }: Place): ScheduleNotice => ({
  line,
  field: entry === undefined ? dataPath.replace(/^\/(source\/)?/, '') : `${entry}${dataPath}`,
  message,
});

function faultOf({ line, field, message }: ScheduleNotice): FieldError {
  const path = field === undefined || field.startsWith('/') ? (field ?? '') : `/${field}`;
  return fieldError('document', path, `${message} (line ${line} of the document)`, { line });
}
