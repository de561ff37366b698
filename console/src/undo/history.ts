// SPDX-License-Identifier: Apache-2.0
// The edits of a value, which can be undone and redone.

export type Edit = {
  /** Edits of the same field that follow each other closely are one step, such as the letters of a word. */
  readonly field?: string | undefined;
  /** Set while a text field has the focus: all that is typed into it until it loses the focus is one step. */
  readonly visit?: number | undefined;
  /** Milliseconds. */
  readonly at: number;
};
export type History<Value> = {
  readonly past: readonly Value[];
  readonly present: Value;
  /** The next to redo is the last. */
  readonly future: readonly Value[];
  readonly last?: Edit;
};

export const MAX_STEPS = 200;
/** Milliseconds between two edits of one step. */
const MAX_PAUSE = 1000;

export const startHistory = <Value>(present: Value): History<Value> => ({ past: [], present, future: [] });

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);

export function record<Value>(history: History<Value>, next: Value, edit: Edit): History<Value> {
  const { past, present, last } = history;
  if (next === present) return history;
  const isSameVisit = edit.visit !== undefined && last?.visit === edit.visit;
  const continues =
    edit.field !== undefined &&
    past.length > 0 &&
    last?.field === edit.field &&
    (isSameVisit || edit.at - last.at < MAX_PAUSE);
  // The browser has undone what was typed: the step is void, and its value can be redone.
  const [previous] = past.slice(-1);
  if (continues && isSameVisit && previous !== undefined && isSame(previous, next))
    return { past: past.slice(0, -1), present: previous, future: [present] };
  return { past: continues ? past : [...past, present].slice(-MAX_STEPS), present: next, future: [], last: edit };
}

export function undo<Value>({ past, present, future }: History<Value>): History<Value> {
  const [previous = present] = past.slice(-1);
  return { past: past.slice(0, -1), present: previous, future: past.length === 0 ? future : [...future, present] };
}

export function redo<Value>({ past, present, future }: History<Value>): History<Value> {
  const [next = present] = future.slice(-1);
  return { past: future.length === 0 ? past : [...past, present], present: next, future: future.slice(0, -1) };
}

/** Changes all values of a history, such as fields that were not edited when the record has a newer version. */
export const mapHistory = <Value>(history: History<Value>, change: (value: Value) => Value): History<Value> => ({
  ...history,
  past: history.past.map(change),
  present: change(history.present),
  future: history.future.map(change),
});

/** The step that a key combination requests. */
export function stepOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined;
  const key = event.key.toLowerCase();
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo';
  return key === 'y' && !event.shiftKey ? 'redo' : undefined;
}
