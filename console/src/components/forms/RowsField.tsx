// SPDX-License-Identifier: Apache-2.0
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { capitalized } from '../../format/labels.ts';
import { Button } from '../buttons/Button.tsx';
import { focusMoveButton, MoveButtons, moveEntry, type Step } from '../buttons/MoveButtons.tsx';
import { describedBy, FieldNotes } from './Field.tsx';
import { Options } from './SelectField.tsx';
import { TimeInput } from './TimeInput.tsx';

export type RowColumn<Row> = {
  readonly name: keyof Row & string;
  /** Empty for the only column of a list. */
  readonly label: string;
  /** `time`: ISO 8601. */
  readonly type?: 'text' | 'url' | 'number' | 'time';
  /** One of these. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly placeholder?: string | undefined;
};

type RowsFieldProps<Row> = {
  readonly label: string;
  /** The name of one row, such as `host`. */
  readonly entry: string;
  readonly columns: readonly RowColumn<Row>[];
  readonly rows: readonly Row[];
  /** What a new row has. */
  readonly empty: Row;
  readonly hint?: string | undefined;
  /** Whether the order matters. Rows then have buttons that move them. */
  readonly isOrdered?: boolean | undefined;
  /** An error of the whole list. */
  readonly error?: string | undefined;
  errorAt(index: number, column: keyof Row & string): string | undefined;
  onChange(rows: readonly Row[]): void;
};

/** What to focus after a change of the list: a field, or the button that moved it. */
type Focus = { readonly index: number; readonly moved?: Step };

function focusEntry(list: HTMLElement, { index, moved }: Focus): void {
  const entries = list.querySelectorAll('.entry');
  const entry = entries[Math.min(index, entries.length - 1)];
  if (moved !== undefined) focusMoveButton(entry, moved);
  else (entry?.querySelector<HTMLElement>('input, select') ?? list.querySelector('button'))?.focus();
}

/** A table of texts: a field for each, with buttons to add, to remove and to move a row. */
export function RowsField<Row extends { readonly [Name in keyof Row]: string }>(props: RowsFieldProps<Row>) {
  const { label, entry, columns, rows, empty, hint, isOrdered, error, errorAt, onChange } = props;
  const id = useId();
  const list = useRef<HTMLFieldSetElement>(null);
  const focus = useRef<Focus>();
  useLayoutEffect(() => {
    if (focus.current && list.current) focusEntry(list.current, focus.current);
    focus.current = undefined;
  });
  const change = (next: readonly Row[], at: Focus) => {
    focus.current = at;
    onChange(next);
  };
  const move = (from: number, to: number) => {
    change(moveEntry(rows, from, to), { index: to, moved: to < from ? -1 : 1 });
  };
  return (
    <fieldset
      class={`field list${columns.length > 1 ? ' rows' : ''}${error ? ' invalid' : ''}`}
      ref={list}
      aria-describedby={describedBy({ id, error, hint })}
    >
      <legend>{label}</legend>
      {rows.map((row, index) => {
        const name = `${entry} ${index + 1}`;
        return (
          <div key={index} class="entry">
            {columns.map((column) => (
              <Cell
                key={column.name}
                column={column}
                label={column.label === '' ? capitalized(name) : `${column.label} of ${name}`}
                value={row[column.name]}
                error={errorAt(index, column.name)}
                onInput={(value) => onChange(rows.with(index, { ...row, [column.name]: value }))}
              />
            ))}
            {isOrdered && rows.length > 1 ? (
              <MoveButtons
                name={name}
                isFirst={index === 0}
                isLast={index === rows.length - 1}
                onMove={(step) => move(index, index + step)}
              />
            ) : null}
            <Button
              icon="trash"
              kind="quiet"
              label={`Remove ${name}`}
              onClick={() => change(rows.toSpliced(index, 1), { index })}
            />
          </div>
        );
      })}
      <div>
        <Button icon="plus" isSmall onClick={() => change([...rows, empty], { index: rows.length })}>
          {`Add ${entry}`}
        </Button>
      </div>
      <FieldNotes id={id} error={error} hint={hint} />
    </fieldset>
  );
}

type CellProps<Row> = {
  readonly column: RowColumn<Row>;
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  onInput(value: string): void;
};

function Cell<Row>({ column, label, value, error, onInput }: CellProps<Row>) {
  const { type = 'text', options, placeholder } = column;
  const id = useId();
  const control = {
    'aria-label': label,
    'aria-invalid': Boolean(error),
    'aria-describedby': describedBy({ id, error }),
    value,
  };
  return (
    <div class={`field ${type}${error ? ' invalid' : ''}`} data-label={column.label}>
      {options ? (
        <select {...control} onChange={({ currentTarget }) => onInput(currentTarget.value)}>
          <Options options={options} />
        </select>
      ) : type === 'time' ? (
        <TimeInput {...control} onChange={onInput} />
      ) : (
        <input
          {...control}
          autoComplete="off"
          spellcheck={false}
          type={type === 'url' ? type : 'text'}
          inputMode={type === 'number' ? 'decimal' : undefined}
          placeholder={placeholder}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
      <FieldNotes id={id} error={error} />
    </div>
  );
}
