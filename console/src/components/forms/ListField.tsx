// SPDX-License-Identifier: Apache-2.0
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../buttons/Button.tsx';

type ListFieldProps = {
  readonly label: string;
  /** The name of one entry, such as `host`. */
  readonly entry: string;
  readonly values: readonly string[];
  readonly hint?: string;
  readonly placeholder?: string;
  /** An error of the whole list. */
  readonly error?: string | undefined;
  errorAt(index: number): string | undefined;
  onChange(values: readonly string[]): void;
};

/** A list of texts: a field for each, with buttons to add and to remove one. */
export function ListField({ label, entry, values, hint, placeholder, error, errorAt, onChange }: ListFieldProps) {
  const id = useId();
  const list = useRef<HTMLFieldSetElement>(null);
  /** The index of the entry to focus after a change of the list. */
  const focused = useRef<number>();
  useLayoutEffect(() => {
    const index = focused.current;
    if (index === undefined) return;
    focused.current = undefined;
    const fields = list.current!.querySelectorAll<HTMLElement>('input');
    (fields[Math.min(index, fields.length - 1)] ?? list.current!.querySelector<HTMLElement>('button'))?.focus();
  }, [values.length]);
  const change = (next: readonly string[], focus: number) => {
    focused.current = focus;
    onChange(next);
  };
  return (
    <fieldset class={`field list${error ? ' invalid' : ''}`} ref={list}>
      <legend>{label}</legend>
      {values.map((value, index) => {
        const fault = errorAt(index);
        const name = `${entry[0]!.toUpperCase()}${entry.slice(1)} ${index + 1}`;
        return (
          <div key={index} class={`field${fault ? ' invalid' : ''}`}>
            <div class="entry">
              <input
                aria-label={name}
                aria-invalid={Boolean(fault)}
                aria-describedby={fault ? `${id}-${index}` : undefined}
                autoComplete="off"
                spellcheck={false}
                {...{ value, placeholder }}
                onInput={({ currentTarget }) =>
                  onChange(values.map((each, at) => (at === index ? currentTarget.value : each)))
                }
              />
              <Button
                icon="trash"
                kind="quiet"
                label={`Remove ${name.toLowerCase()}`}
                onClick={() =>
                  change(
                    values.filter((_, at) => at !== index),
                    index,
                  )
                }
              />
            </div>
            {fault ? (
              <p class="error" id={`${id}-${index}`}>
                {fault}
              </p>
            ) : null}
          </div>
        );
      })}
      <div>
        <Button icon="plus" isSmall onClick={() => change([...values, ''], values.length)}>
          {`Add ${entry}`}
        </Button>
      </div>
      {error ? <p class="error">{error}</p> : null}
      {hint ? <p class="hint">{hint}</p> : null}
    </fieldset>
  );
}
