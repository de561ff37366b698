// SPDX-License-Identifier: Apache-2.0

/** The labels of a record. */
export const Labels = ({ labels }: { readonly labels: readonly string[] }) =>
  labels.length === 0 ? null : (
    <ul class="labels">
      {labels.map((label) => (
        <li key={label}>{label}</li>
      ))}
    </ul>
  );
