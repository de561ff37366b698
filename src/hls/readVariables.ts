// SPDX-License-Identifier: Apache-2.0
import type { Attributes } from './attributes.ts';
import type { InvalidPlaylist } from './readLines.ts';
import { excerpt, invalidLine } from './readLines.ts';

export type Variables = ReadonlyMap<string, string>;

/** The sources of EXT-X-DEFINE values other than the tag itself. */
export type VariableSources = {
  /** The playlist's own URL, for QUERYPARAM. */
  readonly url?: string;
  /** The variables of the multivariant playlist, for IMPORT. */
  readonly imports?: Variables;
};

const reference = /\{\$([A-Za-z0-9_-]+)\}/g;

/** The name and value that an EXT-X-DEFINE tag defines (draft-pantos-hls-rfc8216bis §4.4.2.3). */
export function readDefine(
  attributes: Attributes,
  sources: VariableSources,
  line: number,
): { name: string; value: string } | InvalidPlaylist {
  const textOf = (attribute: string): string | undefined => attributes.get(attribute)?.value;
  const name = textOf('NAME');
  if (name !== undefined) {
    const value = textOf('VALUE');
    return value === undefined
      ? { line, code: 'DEFINE', refused: `line ${line}: VALUE of EXT-X-DEFINE with NAME ${excerpt(name)} is missing` }
      : { name, value };
  }
  const imported = textOf('IMPORT');
  if (imported !== undefined) {
    const value = sources.imports?.get(imported);
    if (value !== undefined) return { name: imported, value };
    return invalidLine(line, 'IMPORT', 'IMPORT must name a variable that the multivariant playlist defines', imported);
  }
  const parameter = textOf('QUERYPARAM');
  if (parameter !== undefined) {
    const value = queryParameter(sources.url, parameter);
    if (value) return { name: parameter, value };
    return invalidLine(
      line,
      'QUERYPARAM',
      "QUERYPARAM must name a parameter of the playlist's URL that has a value",
      parameter,
    );
  }
  return {
    line,
    code: 'DEFINE',
    refused: `line ${line}: EXT-X-DEFINE must have NAME, IMPORT or QUERYPARAM; it has none`,
  };
}

const queryParameter = (url: string | undefined, name: string): string | null =>
  url !== undefined && URL.canParse(url) ? new URL(url).searchParams.get(name) : null;

/** Characters that references insert into one playlist: a short one could grow without bound. */
const MAX_INSERTED = 4 << 20;
const inserted = new WeakMap<Variables, number>();

/** Replaces `{$name}` in `text`; in a playlist without variables the text is returned unchanged. */
export function substitute(text: string, variables: Variables, line: number): string | InvalidPlaylist {
  if (variables.size === 0 || !text.includes('{$')) return text;
  let missing: string | undefined;
  let count = inserted.get(variables) ?? 0;
  const replaced = text.replace(reference, (whole, name: string) => {
    const value = variables.get(name);
    if (value === undefined) missing ??= name;
    count += value?.length ?? 0;
    return count > MAX_INSERTED ? '' : (value ?? whole);
  });
  inserted.set(variables, count);
  if (count > MAX_INSERTED)
    return invalidLine(line, 'LONG_VALUES', `variables must insert at most ${MAX_INSERTED} characters`, `${count}`);
  return missing === undefined
    ? replaced
    : invalidLine(line, 'UNDEFINED_VARIABLE', 'a reference must name a defined variable', missing);
}

/** Replaces variables in quoted strings and hexadecimal sequences only (the same draft, §4.3). */
export function substituteAttributes(
  attributes: Attributes,
  variables: Variables,
  line: number,
): Attributes | InvalidPlaylist {
  if (variables.size === 0) return attributes;
  const replaced = new Map(attributes);
  for (const [name, attribute] of attributes) {
    if (!attribute.quoted && !/^0[xX]/.test(attribute.value) && !attribute.value.startsWith('{$')) continue;
    const value = substitute(attribute.value, variables, line);
    if (typeof value !== 'string') return value;
    replaced.set(name, { ...attribute, value });
  }
  return replaced;
}
