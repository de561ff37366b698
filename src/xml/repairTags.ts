// SPDX-License-Identifier: Apache-2.0
// Repairs tags that do not match, where a parser failed or would have stopped reading too early. It knows nesting only; the
// caller passes the few element names that matter.
import { isNonEmpty, type NonEmpty } from '../invariant.ts';
import type { XmlFault, XmlFaultCode } from './element.ts';
import { countLines, unclosedSection, type XmlSource } from './repairXml.ts';
import { type Edit, edited, localOf, nextKinds, OpenTags, type ScannedTags, scanTags, type Tag } from './scanTags.ts';

export type TagRepairOptions = {
  /** Local names of the root element, in lower case. Content before it is skipped. */
  readonly roots: readonly string[];
  /** Local name, in lower case, of elements that are dropped when the text is truncated inside them. */
  readonly whole: string;
  /** What an element may contain, by local names in lower case. Other elements may contain anything. */
  readonly contents?: ReadonlyMap<string, ReadonlySet<string>>;
};

/** More tags than a readable document has. */
const MAX_TAGS = 400_000;
const MAX_NOTES = 20;
/** Elements around a tag that are examined: deeper documents are not read. */
const MAX_AROUND = 64;

/** @returns the repaired text with warnings, or undefined when there is nothing to repair */
export function repairTags(source: XmlSource, options: TagRepairOptions): XmlSource | undefined {
  const scanned = scanTags(source.text, MAX_TAGS);
  if (scanned === undefined) return undefined;
  const first = scanned.tags.findIndex(({ kind, name }) => kind !== 'end' && options.roots.includes(localOf(name)));
  const tags = first < 0 ? [] : scanned.tags.slice(first);
  return isNonEmpty(tags) ? new TagRepair(source, { ...scanned, tags }, options).repaired() : undefined;
}

/** The tags from the start of the root on. */
type ScannedFromRoot = ScannedTags & { readonly tags: NonEmpty<Tag> };

class TagRepair {
  readonly #source: XmlSource;
  readonly #scanned: ScannedFromRoot;
  readonly #options: TagRepairOptions;
  readonly #root: string;
  readonly #next: readonly (Tag['kind'] | undefined)[];
  readonly #open = new OpenTags();
  readonly #childrenOfRoot = new Set<string>();
  readonly #edits: Edit[] = [];
  readonly #notes: { readonly at: number; readonly code: XmlFaultCode; readonly reason: string }[] = [];
  /** The end tag that closes the root, so far. */
  #rootEnd: Tag | undefined;

  constructor(source: XmlSource, scanned: ScannedFromRoot, options: TagRepairOptions) {
    this.#source = source;
    this.#scanned = scanned;
    this.#options = options;
    this.#root = localOf(scanned.tags[0].name);
    this.#next = nextKinds(scanned.tags);
  }

  repaired(): XmlSource | undefined {
    const { tags, end, quotes, sections, bare } = this.#scanned;
    const [{ name: root, from: start }] = tags;
    if (/[^\s\uFEFF]/.test(outsideComments(this.#source.text.slice(0, start)))) {
      this.#cut(0, start);
      this.#note(start, 'TEXT_OUTSIDE', `there is content before the element ${root}; it is ignored`);
    }
    for (const [index, tag] of tags.entries()) {
      if (tag.kind === 'end') this.#close(tag, this.#next[index]);
      else this.#begin(tag, this.#next[index]);
    }
    const closers = this.#rootEnd === undefined ? this.#truncate(end) : { from: this.#rootEnd.to, put: '' };
    if (closers === undefined) return undefined;
    const isRead = (at: number): boolean => at >= start && at < closers.from;
    const [quote, less] = [quotes.find(({ from }) => isRead(from)), bare.find(isRead)];
    if (quote) this.#note(quote.from, 'QUOTES', 'an attribute value is in typographic quotes');
    if (less !== undefined) this.#note(less, 'BARE_LESS_THAN', 'a "<" is not escaped as "&lt;"');
    this.#edits.push(...quotes, ...bare.map((at): Edit => ({ from: at, to: at + 1, put: '&lt;' })));
    for (const { from } of sections.filter((one) => isRead(one.from)))
      this.#note(from, 'UNCLOSED', 'a CDATA section has no "]]>"; it is closed before the end tag');
    this.#edits.push(...sections);
    if (this.#notes.length === 0) return undefined;
    const edits = this.#edits.filter(({ from }) => from < closers.from).sort((a, b) => a.from - b.from);
    return {
      text: edited(this.#source.text.slice(0, closers.from), edits) + closers.put,
      line: this.#source.line,
      warnings: [...this.#source.warnings, ...this.#warnings()],
    };
  }

  #begin(tag: Tag, next: Tag['kind'] | undefined): void {
    const { name, from, to, kind, isMalformed } = tag;
    const local = localOf(name);
    if (this.#open.length === 0 && this.#rootEnd !== undefined) {
      if (local !== this.#root && !this.#childrenOfRoot.has(local)) return;
      this.#reopen(this.#rootEnd, from);
      if (local !== this.#root) this.#notePremature(this.#rootEnd);
      this.#rootEnd = undefined;
    }
    if (local === this.#root && this.#open.length > 0) {
      this.#closeDownTo(1, tag);
      this.#cut(from, to);
      this.#note(
        from,
        'SECOND_ROOT',
        `there is a second root element ${name}; its content is read as part of the first`,
      );
      return;
    }
    this.#closeForeign(tag, local);
    this.#closeUnclosed(tag, local);
    const parent = this.#open.innermost;
    if (parent) parent.hasChildren = true;
    if (this.#open.length === 1) this.#childrenOfRoot.add(local);
    if (isMalformed) {
      this.#edits.push({ from: to, to, put: '>' });
      this.#note(from, 'MALFORMED', `the tag ${name} has no ">"`);
    }
    if (kind === 'start') this.#open.push({ tag, hasChildren: false, isUnclosed: next !== 'end' });
    else if (this.#open.length === 0) this.#rootEnd = tag;
  }

  /** Content after the end of the root belongs inside it. */
  #reopen({ kind, from, to }: Tag, until: number): void {
    if (kind === 'empty') this.#edits.push({ from: to - 2, to: to - 1, put: '' });
    this.#cut(kind === 'empty' ? to : from, until);
    this.#open.push({ tag: this.#scanned.tags[0], hasChildren: true, isUnclosed: false });
  }

  /** An element ends before one that it cannot contain, if an element around it can: as in HTML, where end tags may be missing. */
  #closeForeign(before: Tag, local: string): void {
    for (let depth = this.#open.length; depth > 0 && this.#open.length - depth < MAX_AROUND; depth -= 1) {
      const around = this.#open.all[depth - 1];
      const names = around && this.#options.contents?.get(localOf(around.tag.name));
      if (names === undefined) return;
      if (!names.has(local)) continue;
      this.#closeDownTo(depth, before);
      return;
    }
  }

  /** An element without an end tag ends before the next element if it contains text, else before the next of its name. */
  #closeUnclosed(before: Tag, local: string): void {
    const innermost = this.#open.innermost;
    if (innermost?.isUnclosed && !innermost.hasChildren && this.#open.length > 1) {
      const content = this.#source.text.slice(innermost.tag.to, before.from);
      if (outsideComments(content).trim() !== '') this.#closeDownTo(this.#open.length - 1, before);
    }
    const same = this.#open.indexOf(local);
    if (same > 0 && this.#open.all[same]?.isUnclosed) this.#closeDownTo(same, before);
  }

  #notePremature({ name, from }: Tag): void {
    this.#note(from, 'CLOSE_TAG', `the end tag </${name}> is premature; it is ignored`);
  }

  #close(tag: Tag, next: Tag['kind'] | undefined): void {
    const { name, from, to } = tag;
    const local = localOf(name);
    const top = this.#open.innermost?.tag;
    if (top === undefined) return;
    if (local === this.#root && next === 'end') {
      this.#cut(from, to);
      this.#notePremature(tag);
      return;
    }
    const depth = this.#open.indexOf(local);
    const isInnermost = depth === this.#open.length - 1;
    // If another end tag follows before the next start tag of the same name, that one closes the element.
    if (depth < 0 || (!isInnermost && next === 'end')) {
      this.#cut(from, to);
      this.#note(from, 'CLOSE_TAG', `the end tag </${name}> has no start tag; it is ignored`);
      return;
    }
    this.#closeDownTo(depth + 1, tag);
    const opened = this.#open.pop().name;
    if (opened !== name || tag.isMalformed) {
      this.#edits.push({ from, to, put: `</${opened}>` });
      this.#note(from, 'CLOSE_TAG', `the end tag "</${name}" is read as </${opened}>`);
    }
    if (this.#open.length === 0) this.#rootEnd = tag;
  }

  /** Closes elements that have no end tag, in front of the tag that ends them. */
  #closeDownTo(depth: number, before: Tag): void {
    while (this.#open.length > depth) {
      const tag = this.#open.pop();
      this.#edits.push({ from: before.from, to: before.from, put: `</${tag.name}>` });
      const slash = before.kind === 'end' ? '/' : '';
      this.#note(
        tag.from,
        'UNCLOSED',
        `the element ${tag.name} has no end tag; it is closed before <${slash}${before.name}>`,
      );
    }
  }

  /** The end tags that close a truncated text, and where; undefined when no element in it is complete. */
  #truncate(end: number): { from: number; put: string } | undefined {
    const [root] = this.#open.all;
    const innermost = this.#open.innermost;
    if (root === undefined || innermost === undefined) return undefined;
    const incomplete = this.#open.all.findIndex(({ tag }) => localOf(tag.name) === this.#options.whole);
    const isLeaf = !innermost.hasChildren && this.#open.length > 1;
    const kept = incomplete > 0 ? incomplete : this.#open.length - (isLeaf ? 1 : 0);
    const from = this.#open.all[kept]?.tag.from ?? end;
    const isRootEmpty = !root.hasChildren || (kept === 1 && this.#isFirstChild(from));
    if (isRootEmpty) return undefined;
    const { name } = innermost.tag;
    const reason = unclosedSection(this.#source.text, end) ?? 'the document is truncated';
    this.#note(end, 'BREAKS_OFF', `${reason} inside ${name}; incomplete elements are dropped`);
    const names = this.#open.all.slice(0, kept).map(({ tag }) => tag.name);
    return {
      from,
      put: names
        .reverse()
        .map((one) => `</${one}>`)
        .join(''),
    };
  }

  #isFirstChild(from: number): boolean {
    return this.#scanned.tags[1]?.from === from;
  }

  #cut(from: number, to: number): void {
    this.#edits.push({ from, to, put: '\n'.repeat(countLines(this.#source.text.slice(from, to))) });
  }

  #note(at: number, code: XmlFaultCode, reason: string): void {
    if (this.#notes.length < MAX_NOTES) this.#notes.push({ at, code, reason });
  }

  /** The notes with their line numbers, in text order. */
  #warnings(): XmlFault[] {
    let [at, line] = [0, this.#source.line];
    return [...this.#notes]
      .sort((a, b) => a.at - b.at)
      .map((note) => {
        line += countLines(this.#source.text.slice(at, note.at));
        at = note.at;
        return { line, code: note.code, reason: note.reason };
      });
  }
}

/** The text without comments, processing instructions and a document type. */
const outsideComments = (text: string): string => text.replace(/<!--.*?-->|<\?.*?\?>|<!(?!\[)[^>]*>/gs, '');
