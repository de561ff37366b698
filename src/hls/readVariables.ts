import type { Attributes } from './attributes.ts';
import type { Unreadable } from './readLines.ts';
import { shown, wanted } from './readLines.ts';

export type Variables = ReadonlyMap<string, string>;

/** Where the values of EXT-X-DEFINE come from besides the tag itself. */
export type VariableSources = {
  /** The playlist's own URL, for QUERYPARAM. */
  readonly url?: string;
  /** What the multivariant playlist defined, for IMPORT. */
  readonly imports?: Variables;
};

const reference = /\{\$([A-Za-z0-9_-]+)\}/g;

/** The name and value that one EXT-X-DEFINE tag gives (draft-pantos-hls-rfc8216bis §4.4.2.3), or why it gives none. */
export function readDefine(
  attributes: Attributes,
  sources: VariableSources,
  line: number,
): { name: string; value: string } | Unreadable {
  const given = (attribute: string): string | undefined => attributes.get(attribute)?.value;
  const name = given('NAME');
  if (name !== undefined) {
    const value = given('VALUE');
    return value === undefined
      ? { line, code: 'DEFINE', refused: `line ${line}: EXT-X-DEFINE of ${shown(name)} has no VALUE` }
      : { name, value };
  }
  const imported = given('IMPORT');
  if (imported !== undefined) {
    const value = sources.imports?.get(imported);
    if (value !== undefined) return { name: imported, value };
    return wanted(line, 'IMPORT', 'IMPORT wants a variable that the multivariant playlist defines', imported);
  }
  const parameter = given('QUERYPARAM');
  if (parameter !== undefined) {
    const value = queryParameter(sources.url, parameter);
    if (value) return { name: parameter, value };
    return wanted(line, 'QUERYPARAM', "QUERYPARAM wants a parameter of the playlist's own URL with a value", parameter);
  }
  return { line, code: 'DEFINE', refused: `line ${line}: EXT-X-DEFINE wants NAME, IMPORT or QUERYPARAM` };
}

const queryParameter = (url: string | undefined, name: string): string | null =>
  url !== undefined && URL.canParse(url) ? new URL(url).searchParams.get(name) : null;

/** `text` with its `{$name}` replaced; nothing is replaced in a playlist that defines nothing. */
export function substitute(text: string, variables: Variables, line: number): string | Unreadable {
  if (variables.size === 0 || !text.includes('{$')) return text;
  let missing: string | undefined;
  const replaced = text.replace(reference, (whole, name: string) => {
    const value = variables.get(name);
    if (value === undefined) missing ??= name;
    return value ?? whole;
  });
  return missing === undefined
    ? replaced
    : wanted(line, 'UNDEFINED_VARIABLE', 'a reference wants a variable that is defined', missing);
}

/** Substitutes in quoted strings and hexadecimal sequences, and nowhere else (the same draft, §4.3). */
export function substituteAttributes(
  attributes: Attributes,
  variables: Variables,
  line: number,
): Attributes | Unreadable {
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
