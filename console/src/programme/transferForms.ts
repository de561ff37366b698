// SPDX-License-Identifier: Apache-2.0
// The forms of schedules as documents.

export const forms = { csv: 'CSV', xmltv: 'XMLTV', mrss: 'MRSS', json: 'JSON' } as const;
export type ScheduleForm = keyof typeof forms;

/** The form of a file, by its name and how it begins. */
export function formOf(name: string, text: string): ScheduleForm {
  const start = text.slice(0, 2000).trim();
  if (start.startsWith('<')) return /<rss\b/i.test(start) ? 'mrss' : 'xmltv';
  return /^[[{]/.test(start) || /\.json$/i.test(name) ? 'json' : 'csv';
}
