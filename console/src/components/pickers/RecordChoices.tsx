// SPDX-License-Identifier: Apache-2.0
import { useRecordNames } from '../../api/recordNames.ts';
import { ChosenList } from './ChosenList.tsx';
import { type PickedKind, RecordPicker } from './RecordPicker.tsx';

type RecordChoicesProps = {
  readonly label: string;
  readonly kind: PickedKind;
  /** Shown while nothing is chosen. */
  readonly none: string;
  readonly chosen: readonly string[];
  readonly error?: string | undefined;
  onChange(chosen: string[]): void;
};

/** Any number of records, found by typing. */
export function RecordChoices({ label, kind, none, chosen, error, onChange }: RecordChoicesProps) {
  const nameOf = useRecordNames(kind, chosen);
  return (
    <div class="stack tight">
      <RecordPicker
        label={label}
        kind={kind}
        value=""
        placeholder={chosen.length === 0 ? none : 'Add…'}
        error={error}
        accept={({ id }) => !chosen.includes(id)}
        onChange={(id) => onChange([...chosen, id])}
      />
      <ChosenList
        label={`Chosen ${label.toLowerCase()}`}
        chosen={chosen.map((id) => ({ id, name: nameOf(id) }))}
        onRemove={(id) => onChange(chosen.filter((each) => each !== id))}
      />
    </div>
  );
}
