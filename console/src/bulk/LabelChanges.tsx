// SPDX-License-Identifier: Apache-2.0
import { type LabelKind, LabelsField } from '../components/pickers/LabelsField.tsx';
import type { LabelChange } from './recordChanges.ts';

type LabelChangesProps = { readonly kind: LabelKind; readonly value: LabelChange; onChange(value: LabelChange): void };

export const noLabels: LabelChange = { added: [], removed: [] };

/** Why labels cannot be changed yet. */
export const lacksLabels = ({ added, removed }: LabelChange): string | undefined =>
  added.length + removed.length === 0 ? 'Choose a label first.' : undefined;

/** Labels that the selected records get, and those that they lose. */
export const LabelChanges = ({ kind, value, onChange }: LabelChangesProps) => (
  <div class="pair">
    <LabelsField
      label="Add labels"
      kind={kind}
      labels={value.added}
      onChange={(added) => onChange({ ...value, added })}
    />
    <LabelsField
      label="Remove labels"
      kind={kind}
      isClosed
      labels={value.removed}
      onChange={(removed) => onChange({ ...value, removed })}
    />
  </div>
);
