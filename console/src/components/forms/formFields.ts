// SPDX-License-Identifier: Apache-2.0
// The props of the fields of a form: their values, the errors that the API reports for them, and what changes them.
import type { FieldError } from '../../api/apiError.ts';
import { fieldError } from './fieldErrors.ts';
import { toOptions } from './SelectField.tsx';

/** The names of the fields that are typed. */
type TextName<Form> = { [Name in keyof Form]: string extends Form[Name] ? Name : never }[keyof Form];
/** The names of the fields that have one of several values, or are typed. */
type ChoiceName<Form> = { [Name in keyof Form]: Form[Name] extends string ? Name : never }[keyof Form];

/** @param pathOf the JSON Pointer by which the API reports errors of a field */
export const formFields = <Form extends object>(
  form: Form,
  errors: readonly FieldError[],
  change: (changed: Partial<Form>) => void,
  pathOf = (name: keyof Form): string => `/${String(name)}`,
) => ({
  /** The props of a text field. */
  field: (name: TextName<Form>) => ({
    value: form[name] as string,
    error: fieldError(errors, pathOf(name)),
    onInput: (value: string) => change({ [name]: value } as Partial<Form>),
  }),
  /** The props of a select. */
  choice: <Name extends ChoiceName<Form>>(name: Name, labels: Readonly<Record<Form[Name] & string, string>>) => ({
    value: form[name] as Form[Name] & string,
    options: toOptions(labels),
    error: fieldError(errors, pathOf(name)),
    onChange: (value: Form[Name] & string) => change({ [name]: value } as Partial<Form>),
  }),
});

export type FormFields<Form extends object> = ReturnType<typeof formFields<Form>>;
