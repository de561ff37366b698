// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { errorMessage } from '../../api/apiError.ts';
import { learnName, useRecordNames } from '../../api/recordNames.ts';
import { useGet, useLatest } from '../../api/useGet.ts';
import { Field, type FieldControl } from '../forms/Field.tsx';
import { Combobox, type PickOption } from './Combobox.tsx';

export type PickedKind = 'channels' | 'playlists' | 'adSources';
/** A playlist for channels of any type has no type. */
export type PickedRecord = { readonly id: string; readonly name?: string; readonly type?: string };
type Accept = (record: PickedRecord) => boolean;

/** What a list shows at once; more is found by typing. */
const LISTED = 20;

/** What matches a text, from the server. @param text undefined reads nothing */
function useFound(kind: PickedKind, text: string | undefined, accept: Accept | undefined) {
  const query = { q: text ?? '', limit: LISTED, sort: 'name' } as const;
  const of = (wanted: PickedKind) => (text === undefined || kind !== wanted ? null : { query });
  const channels = useGet('/channels', of('channels'));
  const playlists = useGet('/playlists', of('playlists'));
  const adSources = useGet('/ad-sources', of('adSources'));
  const { data, error, isLoading } = { channels, playlists, adSources }[kind];
  const records: readonly (PickedRecord & { readonly status?: string })[] = useLatest(data) ?? [];
  const options = records
    .filter((record) => accept === undefined || accept(record))
    .map(({ id, name, status }): PickOption => {
      const detail = [name ? id : '', status === 'disabled' ? 'disabled' : ''].filter(Boolean).join(', ');
      return { id, label: name || id, ...(detail === '' ? {} : { detail }) };
    });
  return { options, isLoading, fault: error === undefined ? undefined : errorMessage(error) };
}

type RecordComboboxProps = {
  readonly control: FieldControl;
  readonly name: string;
  readonly kind: PickedKind;
  /** An id; empty for none. */
  readonly value: string;
  readonly placeholder: string;
  /** Records that are not offered are not listed. */
  readonly accept?: Accept | undefined;
  onChange(id: string): void;
};

/** Finds a record by its name or id among any number of them. */
export function RecordCombobox({ kind, value, accept, onChange, ...shown }: RecordComboboxProps) {
  const [text, setText] = useState<string>();
  const nameOf = useRecordNames(kind, value === '' ? [] : [value]);
  const found = useFound(kind, text, accept);
  return (
    <Combobox
      {...shown}
      {...found}
      value={value === '' ? '' : nameOf(value)}
      onSearch={(next) => setText(next)}
      onPick={({ id, label }) => {
        learnName(kind, id, label);
        onChange(id);
      }}
      onClear={() => onChange('')}
    />
  );
}

type RecordPickerProps = Omit<RecordComboboxProps, 'control' | 'name'> & {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
};

/** A field for one record. */
export const RecordPicker = ({ label, hint, error, ...of }: RecordPickerProps) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => <RecordCombobox {...of} control={control} name={label} />}
  </Field>
);
