// SPDX-License-Identifier: Apache-2.0
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type History, mapHistory, record, redo, startHistory, stepOf, undo } from './history.ts';

export type EditHistory<Value> = ReturnType<typeof useHistory<Value>>;

/**
 * A value that is edited, with the keys of undo and redo on the whole page.
 * @param fieldOf the field that an edit changes, if it is only one
 * @param onStep called after edits were undone or redone
 */
export function useHistory<Value>(
  initial: Value | undefined,
  fieldOf: (before: Value, after: Value) => string | undefined,
  onStep: () => void,
) {
  const [history, setHistory] = useState<History<Value> | undefined>(
    initial === undefined ? undefined : startHistory(initial),
  );
  const hasStepped = useRef(false);
  const step = (kind: 'undo' | 'redo') => {
    hasStepped.current = true;
    setHistory((last) => last && (kind === 'undo' ? undo(last) : redo(last)));
    onStep();
  };
  const typing = useRef<ReturnType<typeof trackTyping>>();
  useEffect(() => {
    typing.current = trackTyping();
    return typing.current.end;
  }, []);
  // After the fields have their values.
  useLayoutEffect(() => {
    if (hasStepped.current) typing.current?.settle();
    hasStepped.current = false;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const kind = stepOf(event);
      // A text field undoes what has been typed into it. Otherwise the browser would undo typing in another field.
      if (kind === undefined || typing.current?.isTyped()) return;
      event.preventDefault();
      // A dialog has fields of its own.
      if (document.querySelector('dialog[open]') === null) step(kind);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  return {
    /** undefined until it is known */
    value: history?.present,
    canUndo: (history?.past.length ?? 0) > 0,
    canRedo: (history?.future.length ?? 0) > 0,
    /** Replaces the value, without a step. */
    start: (value: Value) => setHistory(startHistory(value)),
    edit: (change: (value: Value) => Value) =>
      setHistory((last) => {
        if (last === undefined) return last;
        const next = change(last.present);
        return record(last, next, {
          field: fieldOf(last.present, next),
          at: Date.now(),
          visit: typing.current?.visit(),
        });
      }),
    /** Changes the value and all earlier and later ones, without a step. */
    map: (change: (value: Value) => Value) => setHistory((last) => last && mapHistory(last, change)),
    undo: () => step('undo'),
    redo: () => step('redo'),
  };
}

// Which text field has the focus, and whether something was typed into it since then.

/** Fields whose typing the browser can undo. */
const TEXT =
  'textarea, input:not([type]), input:is([type=text], [type=url], [type=search], [type=email], [type=password])';

type Field = HTMLInputElement | HTMLTextAreaElement;

const fieldOf = (target: EventTarget | null): Field | undefined =>
  target instanceof HTMLElement && target.matches(TEXT) ? (target as Field) : undefined;

let visits = 0;

function trackTyping() {
  let field: Field | undefined;
  /** The value when the field got the focus. */
  let before = '';
  const controller = new AbortController();
  const enter = (target: EventTarget | null) => {
    field = fieldOf(target);
    before = field?.value ?? '';
    visits += 1;
  };
  enter(document.activeElement);
  addEventListener('focusin', ({ target }) => enter(target), { signal: controller.signal });
  addEventListener('focusout', () => enter(null), { signal: controller.signal });
  return {
    /** The number of this visit to a text field; undefined in other fields. */
    visit: (): number | undefined => (field === undefined ? undefined : visits),
    isTyped: (): boolean => field !== undefined && field.value !== before,
    /** The value of the field was changed by an undo of the page: nothing is typed yet. */
    settle: () => enter(field ?? null),
    end: () => controller.abort(),
  };
}
