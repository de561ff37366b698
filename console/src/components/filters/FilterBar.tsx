// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { Button } from '../buttons/Button.tsx';
import type { FieldControl } from '../forms/Field.tsx';
import { TextField } from '../forms/TextField.tsx';
import { TimeInput } from '../forms/TimeInput.tsx';
import { ChosenList } from '../pickers/ChosenList.tsx';
import { LabelCombobox, type LabelKind } from '../pickers/LabelsField.tsx';
import { labelsIn, withLabel, withoutLabel } from '../pickers/labelRules.ts';
import { type PickedKind, RecordCombobox } from '../pickers/RecordPicker.tsx';
import './filters.css';
import { Options } from '../forms/SelectField.tsx';

type Named = { readonly name: string; readonly label: string };
/** One part of the address that a list is filtered by. Empty texts filter nothing. */
export type Filter =
  | (Named & {
      readonly kind: 'choice';
      /** The option that filters nothing. If it is absent, there is one more option for that. */
      readonly none?: string;
      readonly options: readonly { readonly value: string; readonly label: string }[];
    })
  | (Named & { readonly kind: 'record'; readonly of: PickedKind })
  | (Named & { readonly kind: 'labels'; readonly of: LabelKind })
  | (Named & { readonly kind: 'text'; readonly placeholder?: string })
  /** In ISO 8601. */
  | (Named & { readonly kind: 'time' })
  /** Set by links only. */
  | (Named & { readonly kind: 'fixed'; readonly text: string });

type FilterBarProps = {
  readonly search?: { readonly label: string; readonly value: string; readonly placeholder?: string } & (
    | { onSearch(text: string): void }
    /** Searches with a button, not after each pause. */
    | { onSubmit(text: string): void }
  );
  readonly filters: readonly Filter[];
  readonly values: Readonly<Record<string, string>>;
  /** What shows the list otherwise: its order, its columns. */
  readonly children?: ComponentChildren;
  onChange(name: string, value: string): void;
  onClear(): void;
};

const isOn = (filter: Filter, value: string): boolean =>
  value !== '' && !(filter.kind === 'choice' && value === filter.none);

/** The search, the filters as chips, and how a list is shown. */
export function FilterBar({ search, filters, values, children, onChange, onClear }: FilterBarProps) {
  const isFiltered =
    (search !== undefined && search.value !== '') || filters.some((filter) => isOn(filter, values[filter.name] ?? ''));
  return (
    <search class="filter-bar">
      {search ? <Search {...search} /> : null}
      {filters.map((filter) => (
        <FilterChip
          key={filter.name}
          filter={filter}
          value={values[filter.name] ?? ''}
          onChange={(value) => onChange(filter.name, value)}
        />
      ))}
      {isFiltered ? (
        <Button kind="quiet" isSmall onClick={onClear}>
          Clear filters
        </Button>
      ) : null}
      {children ? <div class="view row">{children}</div> : null}
    </search>
  );
}

/** Between the last key and the search. Milliseconds. */
const TYPING_MS = 300;

function useTyped(value: string, isImmediate: boolean, onChange: (text: string) => void) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value || !isImmediate) return;
    const timer = setTimeout(() => onChange(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText] as const;
}

function Search(search: NonNullable<FilterBarProps['search']>) {
  const { label, value, placeholder = 'Name or ID' } = search;
  const onSearch = 'onSearch' in search ? search.onSearch : undefined;
  const onSubmit = 'onSubmit' in search ? search.onSubmit : undefined;
  const [text, setText] = useTyped(value, onSearch !== undefined, (next) => onSearch?.(next));
  return (
    <form
      class="find"
      onSubmit={(event) => {
        event.preventDefault();
        (onSubmit ?? onSearch)?.(text);
      }}
    >
      <TextField label={label} type="search" value={text} placeholder={placeholder} onInput={setText} />
      {onSubmit ? <Button type="submit">Find</Button> : null}
    </form>
  );
}

type ChipProps = { readonly filter: Filter; readonly value: string; onChange(value: string): void };

export function FilterChip({ filter, value, onChange }: ChipProps) {
  const id = useId();
  const control: FieldControl = { id, 'aria-describedby': undefined, 'aria-invalid': false };
  return (
    <div class={`chip filter ${filter.kind}${isOn(filter, value) ? ' on' : ''}`}>
      <label for={id}>{filter.label}</label>
      <FilterControl filter={filter} value={value} control={control} onChange={onChange} />
    </div>
  );
}

function FilterControl({ filter, value, control, onChange }: ChipProps & { readonly control: FieldControl }) {
  switch (filter.kind) {
    case 'choice':
      return (
        <select {...control} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {filter.none === undefined ? <option value="">All</option> : null}
          <Options options={filter.options} />
        </select>
      );
    case 'record':
      return (
        <RecordCombobox
          control={control}
          name={filter.label}
          kind={filter.of}
          value={value}
          placeholder="All"
          onChange={onChange}
        />
      );
    case 'labels': {
      const labels = labelsIn(value);
      return (
        <>
          <ChosenList
            label="Labels of the filter"
            chosen={labels.map((label) => ({ id: label, name: label }))}
            onRemove={(label) => onChange(withoutLabel(labels, label).join(','))}
          />
          <LabelCombobox
            control={control}
            name={filter.label}
            kind={filter.of}
            placeholder={labels.length === 0 ? 'All' : 'or…'}
            chosen={labels}
            onChoose={(label) => onChange(withLabel(labels, label).join(','))}
          />
        </>
      );
    }
    case 'fixed':
      return <input {...control} readOnly value={filter.text} />;
    case 'text':
      return <TypedControl control={control} value={value} placeholder={filter.placeholder} onChange={onChange} />;
    case 'time':
      return <TimeInput {...control} value={value} onChange={onChange} />;
  }
}

type TypedProps = {
  readonly control: FieldControl;
  readonly value: string;
  readonly placeholder: string | undefined;
  onChange(value: string): void;
};

function TypedControl({ control, value, placeholder, onChange }: TypedProps) {
  const [text, setText] = useTyped(value, true, onChange);
  return (
    <input
      {...control}
      autoComplete="off"
      spellcheck={false}
      placeholder={placeholder}
      value={text}
      onInput={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
}
