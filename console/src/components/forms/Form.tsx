// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';

type FormProps = { readonly children: ComponentChildren; readonly isCard?: boolean; onSubmit(): void };

/** A form without the validation of the browser: the API reports every invalid field. */
export const Form = ({ children, isCard, onSubmit }: FormProps) => (
  <form
    class={isCard ? 'card form' : 'form'}
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);
