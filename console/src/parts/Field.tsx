import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

export type FieldControl = {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
};

type FieldProps = {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What the interface says is wrong with it. */
  readonly error?: string | undefined;
  /** Draws the control; spread what it is given into it. */
  children(control: FieldControl): ComponentChildren;
};

/** A label, a control, what to know of it, and what is wrong with it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const about = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div class={`field${error ? ' wrong' : ''}`}>
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': about || undefined, 'aria-invalid': Boolean(error) })}
      {error ? (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
      {hint ? (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
    </div>
  );
}
