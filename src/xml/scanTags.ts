// SPDX-License-Identifier: Apache-2.0
import { defined } from '../invariant.ts';

// Finds the tags in a text, whether or not they match, for repairTags. Single pass, no vocabulary.

export type Tag = {
  readonly kind: 'start' | 'end' | 'empty';
  /** As written, with its prefix. */
  readonly name: string;
  /** Index of its `<`, and the index after its `>`. */
  readonly from: number;
  readonly to: number;
  /** A parser rejects it: there is no `>` before the next tag, or text after the name of an end tag. */
  readonly isMalformed: boolean;
};

/** A replacement within the text. */
export type Edit = { readonly from: number; readonly to: number; readonly put: string };

export function edited(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { from, to, put } of edits) {
    if (from < copied) continue;
    pieces.push(text.slice(copied, from), put);
    copied = to;
  }
  return pieces.join('') + text.slice(copied);
}

export type ScannedTags = {
  readonly tags: readonly Tag[];
  /** Typographic quotes around attribute values, each to be replaced by `"`. */
  readonly quotes: readonly Edit[];
  /** Where a CDATA section without an end has to end: its terminator is to be inserted. */
  readonly sections: readonly Edit[];
  /** Indexes of each `<` that does not start a tag. */
  readonly bare: readonly number[];
  /** Index of the tag, comment or section that the text truncates; else the length of the text. */
  readonly end: number;
};

const namePattern = /[^\s<>/="'!?&;]+/y;
const spacePattern = /[ \t\r\n]*/y;
const QUOTES = '“”„‟″‘’‚‛′«»';
const closingQuote = /[“”„‟″‘’‚‛′«»"]/;

/** Constructs without tags inside, with their terminators. */
const opaque: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
];

const matchAt = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
};

const isNameStart = (text: string, at: number): boolean => /[\p{L}_:]/u.test(text[at] ?? '');

type ScannedTag = { readonly tag: Tag; readonly quotes: readonly Edit[] } | undefined;

/** A start tag or an empty-element tag; undefined when the text ends inside it. */
function scanStartTag(text: string, from: number): ScannedTag {
  const name = matchAt(namePattern, text, from + 1);
  const quotes: Edit[] = [];
  let at = from + 1 + name.length;
  let lastOfValue = at - 1;
  for (; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '>') {
      const kind = text[at - 1] === '/' && at - 1 > lastOfValue ? 'empty' : 'start';
      return { tag: { kind, name, from, to: at + 1, isMalformed: false }, quotes };
    }
    if (character === '<') return { tag: { kind: 'start', name, from, to: at, isMalformed: true }, quotes };
    if (character !== '=') continue;
    const value = at + 1 + matchAt(spacePattern, text, at + 1).length;
    const quote = text[value] ?? '';
    const isQuoted = quote === '"' || quote === "'";
    const end = isQuoted ? quotedEnd(text, value, quote, quotes) : unquotedEnd(text, value, quote, quotes);
    if (end < 0) return undefined;
    lastOfValue = end;
    at = end;
  }
  return undefined;
}

/** The closing quote, or a typographic quote in its place when the value would otherwise run into the next tag. */
function quotedEnd(text: string, value: number, quote: string, quotes: Edit[]): number {
  const end = text.indexOf(quote, value + 1);
  const odd = text.slice(value + 1, end < 0 ? undefined : end).search(/[“”„‟″‘’‚‛′«»<>]/) + value + 1;
  if (odd === value || !QUOTES.includes(text.charAt(odd)) || !/^[^<>"']*>/.test(text.slice(odd + 1, odd + 200)))
    return end;
  if (end >= 0 && !text.slice(odd, end).includes('<')) return end;
  quotes.push({ from: odd, to: odd + 1, put: quote });
  return odd;
}

/** The last character of a value without XML quotes. */
function unquotedEnd(text: string, value: number, quote: string, quotes: Edit[]): number {
  let end = value;
  if (quote === '' || !QUOTES.includes(quote)) {
    while (end < text.length && !/[\s<>]/.test(text.charAt(end))) end += 1;
    return end - 1;
  }
  end += 1;
  while (end < text.length && !/[<>]/.test(text.charAt(end)) && !closingQuote.test(text.charAt(end))) end += 1;
  if (!closingQuote.test(text[end] ?? '')) return value;
  quotes.push({ from: value, to: value + 1, put: '"' }, { from: end, to: end + 1, put: '"' });
  return end;
}

function scanEndTag(text: string, from: number): ScannedTag {
  let end = from + 2;
  while (end < text.length && text[end] !== '<' && text[end] !== '>') end += 1;
  if (end === text.length) return undefined;
  const [name = '', ...others] = text
    .slice(from + 2, end)
    .trim()
    .split(/\s+/, 2);
  const to = text[end] === '<' ? end : end + 1;
  return { tag: { kind: 'end', name, from, to, isMalformed: to === end || others.length > 0 }, quotes: [] };
}

const CDATA = '<![CDATA[';

/**
 * The end tag that ends a CDATA section which is not closed before the next one: its content contains no other tag.
 * @param end of the section as written; negative if it has none
 */
function unclosedCdata(text: string, at: number, end: number): number | undefined {
  const next = text.indexOf('<', at + CDATA.length);
  if (next < 0 || (end >= 0 && next > end) || text[next + 1] !== '/') return undefined;
  const another = text.indexOf(CDATA, next);
  return end < 0 || (another >= 0 && another < end) ? next : undefined;
}

/** @returns undefined for a text with more than `most` tags */
export function scanTags(text: string, most: number): ScannedTags | undefined {
  const tags: Tag[] = [];
  const quotes: Edit[] = [];
  const bare: number[] = [];
  const sections: Edit[] = [];
  let at = text.indexOf('<');
  for (; at >= 0; at = text.indexOf('<', at)) {
    const closed = opaque.find(([start]) => text.startsWith(start, at));
    if (closed) {
      const end = text.indexOf(closed[1], at + closed[0].length);
      const unclosed = closed[0] === CDATA ? unclosedCdata(text, at, end) : undefined;
      if (unclosed !== undefined) {
        sections.push({ from: unclosed, to: unclosed, put: ']]>' });
        at = unclosed;
        continue;
      }
      if (end < 0) return { tags, quotes, sections, bare, end: at };
      at = end + closed[1].length;
    } else if (text[at + 1] === '/' || isNameStart(text, at + 1)) {
      const scanned = text[at + 1] === '/' ? scanEndTag(text, at) : scanStartTag(text, at);
      if (scanned === undefined) return { tags, quotes, sections, bare, end: at };
      if (tags.length >= most) return undefined;
      tags.push(scanned.tag);
      quotes.push(...scanned.quotes);
      at = scanned.tag.to;
    } else {
      if (at + 1 >= text.length) return { tags, quotes, sections, bare, end: at };
      bare.push(at);
      at += 1;
    }
  }
  return { tags, quotes, sections, bare, end: text.length };
}

// The elements that are open at a position in a text, and where their end tags are.

export const localOf = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

export function nextKinds(tags: readonly Tag[]): readonly (Tag['kind'] | undefined)[] {
  const next = new Map<string, Tag['kind']>();
  const kinds = tags.toReversed().map(({ name, kind }) => {
    const local = localOf(name);
    const following = next.get(local);
    next.set(local, kind);
    return following;
  });
  return kinds.reverse();
}

type Open = {
  readonly tag: Tag;
  hasChildren: boolean;
  /** No end tag of its name follows before the next start tag of that name. */
  readonly isUnclosed: boolean;
};

/** Looking up an element takes constant time, however many are open. */
export class OpenTags {
  readonly #all: Open[] = [];
  /** Indexes of the open elements of a name, innermost last. */
  readonly #indexes = new Map<string, number[]>();

  /** Outermost first. */
  get all(): readonly Open[] {
    return this.#all;
  }

  get length(): number {
    return this.#all.length;
  }

  get innermost(): Open | undefined {
    return this.#all.at(-1);
  }

  push(one: Open): void {
    const local = localOf(one.tag.name);
    const indexes = this.#indexes.get(local) ?? [];
    this.#indexes.set(local, indexes);
    indexes.push(this.#all.length);
    this.#all.push(one);
  }

  pop(): Tag {
    const { tag } = defined(this.#all.pop(), 'only an element that is open is closed');
    this.#indexes.get(localOf(tag.name))?.pop();
    return tag;
  }

  /** The index of the innermost open element of a name; -1 when none is open. */
  indexOf(local: string): number {
    return this.#indexes.get(local)?.at(-1) ?? -1;
  }
}
