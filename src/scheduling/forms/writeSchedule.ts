// SPDX-License-Identifier: Apache-2.0
// Writes a schedule so that readSchedule returns the same entries, apart from what a form does not carry:
//
// | form | does not carry |
// |---|---|
// | `json` | it carries everything, and alone the rules, the filler and the breaks of the schedule |
// | all others | live entries |
// | `csv` | empty texts and lists; white space at the ends of texts |
// | `xmltv` | entries without `start`; season and episode that differ from a number in the systems xmltv_ns and onscreen; as `csv` |
// | `mrss` | entries that play a playlist; as `csv` |
//
// XML replaces characters that it cannot express (XML 1.0 §2.2).
import { finish, type Sliced } from '../../time/sliced.ts';
import { type Entry, isLiveSource, isPlaylistSource, type ScheduleSettings } from '../schedule.ts';
import { writingCsv } from './csv.ts';
import { writingJson } from './json.ts';
import { writingMrssSchedule } from './mrss.ts';
import type { ScheduleForm } from './readSchedule.ts';
import { writingXmltvSchedule } from './writeXmltvSchedule.ts';

export type ScheduleSource = {
  /** The id and name of the channel. */
  readonly id: string;
  readonly name: string;
  /** The URL of the schedule. */
  readonly link: string;
  /** Written beside the entries, in JSON only. */
  readonly settings?: ScheduleSettings;
};

export type WrittenSchedule = {
  readonly text: string;
  /** The ids of entries that the form cannot express. */
  readonly leftOut: readonly string[];
};

export const writeSchedule = (entries: readonly Entry[], form: ScheduleForm, source: ScheduleSource): WrittenSchedule =>
  finish(writingSchedule(entries, form, source));

export function* writingSchedule(
  entries: readonly Entry[],
  form: ScheduleForm,
  source: ScheduleSource,
): Sliced<WrittenSchedule> {
  const isWritten = ({ start, source: played }: Entry): boolean => {
    if (isLiveSource(played) && form !== 'json') return false;
    if (form === 'xmltv') return start !== undefined;
    return form !== 'mrss' || !isPlaylistSource(played);
  };
  const text = yield* writingForm(entries.filter(isWritten), form, source);
  return { text, leftOut: entries.filter((entry) => !isWritten(entry)).map(({ id }) => id) };
}

function* writingForm(entries: readonly Entry[], form: ScheduleForm, source: ScheduleSource): Sliced<string> {
  switch (form) {
    case 'csv':
      return yield* writingCsv(entries);
    case 'xmltv':
      return yield* writingXmltvSchedule(entries, source);
    case 'mrss':
      return yield* writingMrssSchedule(entries, source);
    case 'json':
      return yield* writingJson(entries, source.settings ?? {});
  }
}
