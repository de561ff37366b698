// SPDX-License-Identifier: Apache-2.0
import './choices.css';

type ChoicesProps = {
  readonly label: string;
  /** Shown while nothing is chosen. */
  readonly none: string;
  readonly options: readonly (readonly [id: string, name: string])[];
  readonly chosen: readonly string[];
  onChange(chosen: string[]): void;
};

/** Any number of several options. Chosen ones that no longer exist can be removed. */
export function Choices({ label, none, options, chosen, onChange }: ChoicesProps) {
  const known = new Set(options.map(([id]) => id));
  const all = [...options, ...chosen.filter((id) => !known.has(id)).map((id) => [id, `${id} (deleted)`] as const)];
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      {chosen.length === 0 ? <p class="small muted">{none}</p> : null}
      {all.map(([id, name]) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
