// SPDX-License-Identifier: Apache-2.0
// Labels made from the names that the API uses: fields, reports, events, settings and reason codes.

export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const isCode = (name: string): boolean => /^[A-Z_]+$/.test(name);

/** `secondsFilled` → `Seconds filled`; `latencyP95` → `Latency P95`; `clientId` → `Client ID`; `revenueEUR` → `Revenue EUR`; `BREAK_FULL` → `Break full`. */
export function fieldLabel(name: string): string {
  if (isCode(name)) return capitalized(name.toLowerCase().replaceAll('_', ' '));
  const words = name.replace(/([a-z0-9])([A-Z]+)/g, (_, end: string, start: string) =>
    start.length > 1 ? `${end} ${start}` : `${end} ${start.toLowerCase()}`,
  );
  const text = words.replaceAll('-', ' ').replace(/\b(p\d\d|id|url)\b/g, (word) => word.toUpperCase());
  return capitalized(text);
}

/** A group of a report: reason codes become words, ids and host names stay as they are. */
export const groupLabel = (key: string): string => (isCode(key) ? fieldLabel(key) : key);
