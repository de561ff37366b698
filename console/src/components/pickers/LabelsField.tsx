// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { errorMessage } from '../../api/apiError.ts';
import { useGet, useLatest } from '../../api/useGet.ts';
import { Field, type FieldControl } from '../forms/Field.tsx';
import { ChosenList } from './ChosenList.tsx';
import { Combobox } from './Combobox.tsx';
import { hasLabel, matchingLabels, withLabel, withoutLabel } from './labelRules.ts';

export type LabelKind = 'channels' | 'playlists' | 'adSources';

type LabelComboboxProps = {
  readonly control: FieldControl;
  readonly name: string;
  readonly kind: LabelKind;
  readonly placeholder: string;
  /** Are not offered again. */
  readonly chosen: readonly string[];
  /** Whether a label that is not in use can be chosen. */
  readonly isFree?: boolean;
  onChoose(label: string): void;
};

/** Finds a label among those in use. */
export function LabelCombobox({ control, name, kind, placeholder, chosen, isFree, onChoose }: LabelComboboxProps) {
  const [text, setText] = useState<string>();
  const { data, error, isLoading } = useGet('/labels', text === undefined ? null : {});
  const inUse = useLatest(data);
  return (
    <Combobox
      control={control}
      name={name}
      value=""
      placeholder={placeholder}
      options={inUse === undefined ? [] : matchingLabels(inUse[kind], text ?? '', chosen)}
      isLoading={isLoading}
      fault={error === undefined ? undefined : errorMessage(error)}
      onSearch={(next) => setText(next)}
      onPick={({ label }) => onChoose(label)}
      {...(isFree ? { onTake: onChoose } : {})}
      onClear={() => {}}
    />
  );
}

type LabelsFieldProps = {
  readonly label: string;
  readonly kind: LabelKind;
  readonly labels: readonly string[];
  /** Only labels in use can be chosen. */
  readonly isClosed?: boolean;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  onChange(labels: readonly string[]): void;
};

/** The labels of a record: those in use are offered, new ones are typed. */
export const LabelsField = ({ label, kind, labels, isClosed = false, hint, error, onChange }: LabelsFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(control) => (
      <div class="stack tight">
        <LabelCombobox
          control={control}
          name={label}
          kind={kind}
          placeholder={isClosed ? 'Choose label…' : 'Add label…'}
          chosen={labels}
          isFree={!isClosed}
          onChoose={(text) => hasLabel(labels, text) || onChange(withLabel(labels, text))}
        />
        <ChosenList
          label={`Chosen ${label.toLowerCase()}`}
          chosen={labels.map((text) => ({ id: text, name: text }))}
          onRemove={(text) => onChange(withoutLabel(labels, text))}
        />
      </div>
    )}
  </Field>
);
