// SPDX-License-Identifier: Apache-2.0
import { Icon } from '../icons/Icon.tsx';

type ChosenListProps = {
  readonly label: string;
  readonly chosen: readonly { readonly id: string; readonly name: string }[];
  onRemove(id: string): void;
};

/** What was chosen, each with a button that removes it. */
export const ChosenList = ({ label, chosen, onRemove }: ChosenListProps) =>
  chosen.length === 0 ? null : (
    <ul class="chosen" aria-label={label}>
      {chosen.map(({ id, name }) => (
        <li key={id} class="chip on">
          <span>{name}</span>
          <button type="button" onClick={() => onRemove(id)}>
            <Icon name="close" />
            <span class="visually-hidden">Remove {name}</span>
          </button>
        </li>
      ))}
    </ul>
  );
