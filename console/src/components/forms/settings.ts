// SPDX-License-Identifier: Apache-2.0
// Records as the fields of a form, which are mostly text, and back.
import { formatNameValueLines, parseNameValueLines } from './nameValueLines.ts';

export type Setting<Value> = {
  /** Its JSON Pointer in requests, responses and errors: of a field, or of a field of that. */
  readonly path: string;
  /** Records of other types do not have it; undefined for all. */
  readonly types: readonly string[] | undefined;
  read(stored: unknown): Value;
  /** @returns undefined for what is not sent */
  write(value: Value): unknown;
};
// biome-ignore lint/suspicious/noExplicitAny: each setting has a type of its own, which FormOf keeps
export type Settings = Readonly<Record<string, Setting<any>>>;
export type FormOf<All extends Settings> = { readonly [Name in keyof All]: ReturnType<All[Name]['read']> };

export const filled = (value: string): string | undefined => (value.trim() === '' ? undefined : value.trim());
/** Sends an invalid number as text, so that the server reports what is wrong with it. */
export const numberOf = (value: string): number | string => (Number.isNaN(Number(value)) ? value : Number(value));
export const unlessEmpty = <T>(values: readonly T[]): readonly T[] | undefined =>
  values.length === 0 ? undefined : values;
/** The number in a field; undefined if it is empty. */
export const filledNumber = (value: string): number | string | undefined =>
  filled(value) === undefined ? undefined : numberOf(value.trim());
export const textOf = (stored: unknown): string => (stored === undefined ? '' : String(stored));

/** Is not sent with its default. */
export const unlessDefault = <Value extends string>(setting: Setting<Value>): Setting<Value> => ({
  ...setting,
  write: (value) => (value === setting.read(undefined) ? undefined : setting.write(value)),
});

/** Makes the settings of a kind of record, whose paths and types are checked. */
export function settingsOf<Path extends string, Type extends string>() {
  const text = (path: Path, types?: readonly Type[]): Setting<string> => ({ path, types, read: textOf, write: filled });
  /** One of several values. Selects have text, so flags are `true` and `false`. */
  const choice = <Value extends string>(path: Path, initial: Value, types?: readonly Type[]): Setting<Value> => ({
    path,
    types,
    read: (stored) => (stored === undefined ? initial : (String(stored) as Value)),
    write: (value) => value,
  });
  return {
    text,
    choice,
    number: (path: Path, types?: readonly Type[]): Setting<string> => ({ ...text(path, types), write: filledNumber }),
    flag: (path: Path, initial: boolean): Setting<string> => ({
      ...choice<string>(path, String(initial)),
      write: (value) => value === 'true',
    }),
    /** Rows that were left empty are not sent. */
    list: (path: Path, types?: readonly Type[]): Setting<readonly string[]> => ({
      path,
      types,
      read: (stored) => (stored ?? []) as readonly string[],
      write: (rows) => unlessEmpty(rows.flatMap((row) => filled(row) ?? [])),
    }),
    /** Texts in a text area. @param separator between them */
    lines: (path: Path, separator = /\n/): Setting<string> => ({
      path,
      types: undefined,
      read: (stored) => ((stored ?? []) as readonly string[]).join('\n'),
      write: (value) => unlessEmpty(value.split(separator).flatMap((line) => filled(line) ?? [])),
    }),
    nameValues: (path: Path, types?: readonly Type[]): Setting<string> => ({
      ...text(path, types),
      read: (stored) => formatNameValueLines(stored as Readonly<Record<string, string>> | undefined),
      write: parseNameValueLines,
    }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

export const readForm = <All extends Settings>(settings: All, record: object): FormOf<All> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, { path, read }]) => {
      const stored = path
        .split('/')
        .slice(1)
        .reduce<unknown>((within, key) => (within as Fields | undefined)?.[key], record);
      return [name, read(stored)];
    }),
  ) as FormOf<All>;

/** Contains only the settings that records of this type have; empty fields are omitted. @param isSent whether other settings allow one */
export function writeForm<All extends Settings>(
  settings: All,
  form: FormOf<All> & { readonly type: string },
  isSent: (path: string) => boolean = () => true,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, { path, types, write }] of Object.entries(settings)) {
    if (types?.includes(form.type) === false || !isSent(path)) continue;
    const value = write(form[name]);
    if (value === undefined) continue;
    const [, field = '', inner] = path.split('/');
    body[field] = inner === undefined ? value : { ...(body[field] as Fields | undefined), [inner]: value };
  }
  return body;
}

/** Edits on top of a newer version of the record: fields that were not edited take the newer value. */
export const rebase = <Form extends object>(edited: Form, base: Form, latest: Form): Form =>
  Object.fromEntries(
    Object.entries(latest).map(([name, value]) => {
      const field = name as keyof Form;
      const isEdited = JSON.stringify(edited[field]) !== JSON.stringify(base[field]);
      return [name, isEdited ? edited[field] : value];
    }),
  ) as Form;

/** The one field that an edit changes, of a list with its row; undefined for an edit of more than that. */
export function editedSetting<Form extends object>(before: Form, after: Form): string | undefined {
  const names = (Object.keys(after) as (keyof Form & string)[]).filter((name) => before[name] !== after[name]);
  const [name, ...more] = names;
  if (name === undefined || more.length > 0) return undefined;
  const [from, to]: unknown[] = [before[name], after[name]];
  if (!Array.isArray(from) || !Array.isArray(to)) return name;
  // Unless a row was added, removed or moved.
  const rows = to.flatMap((row, index) => (row === from[index] ? [] : [index]));
  return from.length === to.length && rows.length === 1 ? `${name} ${rows[0]}` : undefined;
}
