// SPDX-License-Identifier: Apache-2.0
// Labels are compared without regard to case, and kept as they were written.
import type { PickOption } from './Combobox.tsx';

const keyOf = (label: string): string => label.trim().toLowerCase();

export const hasLabel = (labels: readonly string[], label: string): boolean =>
  labels.some((each) => keyOf(each) === keyOf(label));
export const withLabel = (labels: readonly string[], label: string): readonly string[] =>
  hasLabel(labels, label) ? labels : [...labels, label.trim()];
export const withoutLabel = (labels: readonly string[], label: string): readonly string[] =>
  labels.filter((each) => keyOf(each) !== keyOf(label));

/** Labels in use that contain a text and were not chosen, those with the most records first. */
export const matchingLabels = (
  inUse: readonly { readonly label: string; readonly count: number }[],
  text: string,
  chosen: readonly string[],
): PickOption[] =>
  inUse
    .filter(({ label }) => keyOf(label).includes(keyOf(text)) && !hasLabel(chosen, label))
    .sort((a, b) => b.count - a.count)
    .map(({ label, count }) => ({ id: keyOf(label), label, detail: String(count) }));

/** Labels as one part of an address; no label contains a comma. */
export const labelsIn = (text: string): readonly string[] => text.split(',').filter((label) => label !== '');
