// SPDX-License-Identifier: Apache-2.0

import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { capitalized } from '../../format/labels.ts';
import { Button } from '../buttons/Button.tsx';
import { MoveButtons, moveEntry } from '../buttons/MoveButtons.tsx';
import { describedBy, FieldNotes } from './Field.tsx';

type ListFieldProps = {
  readonly label: string;
  /** The name of one entry, such as `host`. */
  readonly entry: string;
  readonly values: readonly string[];
  readonly hint?: string;
  readonly placeholder?: string;
  readonly type?: 'text' | 'url';
  /** Whether the order matters. Entries then have buttons that move them. */
  readonly isOrdered?: boolean;
  /** An error of the whole list. */
  readonly error?: string | undefined;
  errorAt(index: number): string | undefined;
  onChange(values: readonly string[]): void;
};

/** What to focus after a change of the list: a field, or the button that moved it. */
type Focus = { readonly index: number; readonly moved?: 'up' | 'down' };

function focusEntry(list: HTMLElement, { index, moved }: Focus): void {
  const entries = list.querySelectorAll('.entry');
  const entry = entries[Math.min(index, entries.length - 1)];
  const [up, down] = entry?.querySelectorAll('button') ?? [];
  const button = moved === 'up' && !up?.disabled ? up : down?.disabled ? up : down;
  const field = entry?.querySelector('input') ?? list.querySelector('button');
  (moved === undefined ? field : button)?.focus();
}

/** A list of texts: a field for each, with buttons to add, to remove and to move one. */
export function ListField(props: ListFieldProps) {
  const { label, entry, values, hint, placeholder, type = 'text', isOrdered, error, errorAt, onChange } = props;
  const id = useId();
  const list = useRef<HTMLFieldSetElement>(null);
  const focus = useRef<Focus>();
  useLayoutEffect(() => {
    if (focus.current && list.current) focusEntry(list.current, focus.current);
    focus.current = undefined;
  });
  const change = (next: readonly string[], at: Focus) => {
    focus.current = at;
    onChange(next);
  };
  const move = (from: number, to: number) => {
    change(moveEntry(values, from, to), { index: to, moved: to < from ? 'up' : 'down' });
  };
  return (
    <fieldset
      class={`field list${error ? ' invalid' : ''}`}
      ref={list}
      aria-describedby={describedBy({ id, error, hint })}
    >
      <legend>{label}</legend>
      {values.map((value, index) => {
        const fault = errorAt(index);
        const name = `${capitalized(entry)} ${index + 1}`;
        return (
          <div key={index} class={`field${fault ? ' invalid' : ''}`}>
            <div class="entry">
              <input
                aria-label={name}
                aria-invalid={Boolean(fault)}
                aria-describedby={describedBy({ id: `${id}-${index}`, error: fault })}
                autoComplete="off"
                spellcheck={false}
                type={type}
                value={value}
                placeholder={placeholder}
                onInput={({ currentTarget }) => onChange(values.with(index, currentTarget.value))}
              />
              {isOrdered && values.length > 1 ? (
                <MoveButtons name={name.toLowerCase()} index={index} count={values.length} onMove={move} />
              ) : null}
              <Button
                icon="trash"
                kind="quiet"
                label={`Remove ${name.toLowerCase()}`}
                onClick={() => change(values.toSpliced(index, 1), { index })}
              />
            </div>
            <FieldNotes id={`${id}-${index}`} error={fault} />
          </div>
        );
      })}
      <div>
        <Button icon="plus" isSmall onClick={() => change([...values, ''], { index: values.length })}>
          {`Add ${entry}`}
        </Button>
      </div>
      <FieldNotes id={id} error={error} hint={hint} />
    </fieldset>
  );
}
