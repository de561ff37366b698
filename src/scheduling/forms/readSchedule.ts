// SPDX-License-Identifier: Apache-2.0
import { finish, type Sliced } from '../../time/sliced.ts';
import { readingCsv } from './csv.ts';
import { readingJson } from './json.ts';
import { readingMrss } from './mrss.ts';
import { MAX_LENGTH, type ReadSchedule, ScheduleReading } from './reading.ts';
import { readingXmltv } from './readXmltv.ts';

export const scheduleForms = ['csv', 'xmltv', 'mrss', 'json'] as const;
export type ScheduleForm = (typeof scheduleForms)[number];

type ReadOptions = {
  /** XMLTV: the channel whose programmes are read. Required if the document has programmes of several. */
  readonly channelId?: string;
};

/** The entries of a schedule in the order of the text, in which all ids are unique, and what could not be read. */
export const readSchedule = (text: string, form: ScheduleForm, options: ReadOptions = {}): ReadSchedule =>
  finish(readingSchedule(text, form, options));

export function* readingSchedule(text: string, form: ScheduleForm, options: ReadOptions = {}): Sliced<ReadSchedule> {
  const into = new ScheduleReading();
  if (text.length > MAX_LENGTH)
    into.error({ line: 1 }, `has ${text.length} characters; at most ${MAX_LENGTH} are read`);
  else yield* readingForm(text.replace(/^\uFEFF/, ''), form, into, options);
  return into.finished();
}

function* readingForm(text: string, form: ScheduleForm, into: ScheduleReading, options: ReadOptions): Sliced<void> {
  switch (form) {
    case 'csv':
      return yield* readingCsv(text, into);
    case 'xmltv':
      return yield* readingXmltv(text, into, options.channelId);
    case 'mrss':
      return yield* readingMrss(text, into);
    case 'json':
      return yield* readingJson(text, into);
  }
}
