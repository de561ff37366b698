// SPDX-License-Identifier: Apache-2.0
import { RowsField } from './RowsField.tsx';

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

/** A list of texts. */
export const ListField = ({ values, placeholder, type = 'text', onChange, ...rest }: ListFieldProps) => (
  <RowsField
    {...rest}
    columns={[{ name: 'text', label: '', type, placeholder }]}
    rows={values.map((text) => ({ text }))}
    empty={{ text: '' }}
    onChange={(rows) => onChange(rows.map(({ text }) => text))}
  />
);
