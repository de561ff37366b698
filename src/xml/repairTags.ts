// Makes the tags of a text fit together where a parser stopped at them or would have stopped reading too early. It knows
// nesting; of the vocabulary it knows what its caller names.
import type { XmlFault, XmlFaultCode } from './element.ts';
import { localOf, nextKinds, OpenTags } from './openTags.ts';
import { countLines, type XmlSource } from './repairXml.ts';
import { type Edit, type ScannedTags, scanTags, type Tag } from './scanTags.ts';

export type TagRepairOptions = {
  /** Local names that the root element may have, in lower case; whatever stands before it is not read. */
  readonly roots: readonly string[];
  /** Local name, in lower case, of elements that a text that breaks off must hold to their end; else they are left out. */
  readonly whole: string;
};

/** More tags than any document holds that is read. */
const MOST_TAGS = 400_000;
const MOST_NOTES = 20;

/** @returns the text with what was mended, or undefined when there is nothing to mend */
export function repairTags(source: XmlSource, { roots, whole }: TagRepairOptions): XmlSource | undefined {
  const scanned = scanTags(source.text, MOST_TAGS);
  if (scanned === undefined) return undefined;
  const first = scanned.tags.findIndex(({ kind, name }) => kind !== 'end' && roots.includes(localOf(name)));
  return first < 0 ? undefined : new TagRepair(source, scanned, first, whole).mended();
}

class TagRepair {
  readonly #source: XmlSource;
  readonly #scanned: ScannedTags;
  readonly #first: number;
  readonly #whole: string;
  readonly #root: string;
  readonly #next: readonly (Tag['kind'] | undefined)[];
  readonly #open = new OpenTags();
  readonly #inRoot = new Set<string>();
  readonly #edits: Edit[] = [];
  readonly #notes: { readonly at: number; readonly code: XmlFaultCode; readonly reason: string }[] = [];
  /** The end tag that closes the root, as far as is known. */
  #end: Tag | undefined;

  constructor(source: XmlSource, scanned: ScannedTags, first: number, whole: string) {
    this.#source = source;
    this.#scanned = scanned;
    this.#first = first;
    this.#whole = whole;
    this.#root = localOf(scanned.tags[first]!.name);
    this.#next = nextKinds(scanned.tags);
  }

  mended(): XmlSource | undefined {
    const { tags, end, quotes, bare } = this.#scanned;
    const start = tags[this.#first]!.from;
    if (/[^\s\uFEFF]/.test(outsideComments(this.#source.text.slice(0, start)))) {
      this.#cut(0, start);
      this.#note(
        start,
        'TEXT_OUTSIDE',
        `something stands before the element ${tags[this.#first]!.name} and is ignored`,
      );
    }
    for (let index = this.#first; index < tags.length; index += 1) {
      if (tags[index]!.kind === 'end') this.#close(tags[index]!, this.#next[index]);
      else this.#begin(tags[index]!, this.#next[index]);
    }
    const closers = this.#end === undefined ? this.#breakOff(end) : { from: this.#end.to, put: '' };
    if (closers === undefined) return undefined;
    const isRead = (at: number): boolean => at >= start && at < closers.from;
    const [quote, less] = [quotes.find(({ from }) => isRead(from)), bare.find(isRead)];
    if (quote) this.#note(quote.from, 'QUOTES', 'typographic quotes enclose the value of an attribute');
    if (less !== undefined) this.#note(less, 'BARE_LESS_THAN', 'a "<" stands for itself and not for "&lt;"');
    this.#edits.push(...quotes, ...bare.map((at): Edit => ({ from: at, to: at + 1, put: '&lt;' })));
    if (this.#notes.length === 0) return undefined;
    const edits = this.#edits.filter(({ from }) => from < closers.from).sort((a, b) => a.from - b.from);
    return {
      text: edited(this.#source.text.slice(0, closers.from), edits) + closers.put,
      line: this.#source.line,
      warnings: [...this.#source.warnings, ...this.#told()],
    };
  }

  #begin(tag: Tag, next: Tag['kind'] | undefined): void {
    const { name, from, to, kind, isMalformed } = tag;
    const local = localOf(name);
    if (this.#open.length === 0 && this.#end !== undefined) {
      if (local !== this.#root && !this.#inRoot.has(local)) return;
      this.#reopen(this.#end, from);
      if (local !== this.#root) this.#noteEarly(this.#end);
      this.#end = undefined;
    }
    if (local === this.#root && this.#open.length > 0) {
      this.#closeDownTo(1, tag);
      this.#cut(from, to);
      this.#note(from, 'SECOND_ROOT', `a second element ${name} begins; what it holds is read as the first one's`);
      return;
    }
    this.#endEndless(tag, local);
    const parent = this.#open.innermost;
    if (parent) parent.hasChildren = true;
    if (this.#open.length === 1) this.#inRoot.add(local);
    if (isMalformed) {
      this.#edits.push({ from: to, to, put: '>' });
      this.#note(from, 'MALFORMED', `the tag ${name} has no ">"`);
    }
    if (kind === 'start') this.#open.push({ tag, hasChildren: false, isEndless: next !== 'end' });
    else if (this.#open.length === 0) this.#end = tag;
  }

  /** What follows the end of the root was meant to stand in it. */
  #reopen({ kind, from, to }: Tag, until: number): void {
    if (kind === 'empty') this.#edits.push({ from: to - 2, to: to - 1, put: '' });
    this.#cut(kind === 'empty' ? to : from, until);
    this.#open.push({ tag: this.#scanned.tags[this.#first]!, hasChildren: true, isEndless: false });
  }

  /** Elements without an end tag: one that holds text ends before the next element, others before the next of their name. */
  #endEndless(before: Tag, local: string): void {
    const innermost = this.#open.innermost;
    if (innermost?.isEndless && !innermost.hasChildren && this.#open.length > 1) {
      const content = this.#source.text.slice(innermost.tag.to, before.from);
      if (outsideComments(content).trim() !== '') this.#closeDownTo(this.#open.length - 1, before);
    }
    const same = this.#open.placeOf(local);
    if (same > 0 && this.#open.all[same]!.isEndless) this.#closeDownTo(same, before);
  }

  #noteEarly({ name, from }: Tag): void {
    this.#note(from, 'CLOSE_TAG', `the end tag </${name}> comes before the end and is ignored`);
  }

  #close(tag: Tag, next: Tag['kind'] | undefined): void {
    const { name, from, to } = tag;
    const local = localOf(name);
    const top = this.#open.innermost?.tag;
    if (top === undefined) return;
    if (local === this.#root && next === 'end') {
      this.#cut(from, to);
      this.#noteEarly(tag);
      return;
    }
    const depth = this.#open.placeOf(local);
    const isInnermost = depth === this.#open.length - 1;
    // Where another end tag follows before the next start tag of the name, that one closes the element.
    if (depth < 0 || (!isInnermost && next === 'end')) {
      this.#cut(from, to);
      this.#note(from, 'CLOSE_TAG', `the end tag </${name}> closes nothing and is ignored`);
      return;
    }
    this.#closeDownTo(depth + 1, tag);
    const opened = this.#open.pop().name;
    if (opened !== name || tag.isMalformed) {
      this.#edits.push({ from, to, put: `</${opened}>` });
      this.#note(from, 'CLOSE_TAG', `the end tag "</${name}" is taken for </${opened}>`);
    }
    if (this.#open.length === 0) this.#end = tag;
  }

  /** Closes what has no end tag of its own before a tag that ends it. */
  #closeDownTo(depth: number, before: Tag): void {
    while (this.#open.length > depth) {
      const tag = this.#open.pop();
      this.#edits.push({ from: before.from, to: before.from, put: `</${tag.name}>` });
      const slash = before.kind === 'end' ? '/' : '';
      this.#note(tag.from, 'UNCLOSED', `the element ${tag.name} has no end tag; <${slash}${before.name}> ends it`);
    }
  }

  /** What closes a text that ends too early, and where; undefined when nothing in it is whole. */
  #breakOff(end: number): { from: number; put: string } | undefined {
    const innermost = this.#open.innermost!;
    const halved = this.#open.all.findIndex(({ tag }) => localOf(tag.name) === this.#whole);
    const isLeaf = !innermost.hasChildren && this.#open.length > 1;
    const kept = halved > 0 ? halved : this.#open.length - (isLeaf ? 1 : 0);
    const from = this.#open.all[kept]?.tag.from ?? end;
    const isRootEmpty = this.#open.all[0]!.hasChildren === false || (kept === 1 && this.#isFirstChild(from));
    if (isRootEmpty) return undefined;
    const { name } = innermost.tag;
    this.#note(end, 'BREAKS_OFF', `the document breaks off in ${name}, and what is not whole is left out`);
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
    return this.#scanned.tags[this.#first + 1]?.from === from;
  }

  #cut(from: number, to: number): void {
    this.#edits.push({ from, to, put: '\n'.repeat(countLines(this.#source.text.slice(from, to))) });
  }

  #note(at: number, code: XmlFaultCode, reason: string): void {
    if (this.#notes.length < MOST_NOTES) this.#notes.push({ at, code, reason });
  }

  /** The notes with their lines, in the order of the text. */
  #told(): XmlFault[] {
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

/** What stands before the root may be a declaration, comments and a document type. */
const outsideComments = (text: string): string => text.replace(/<!--.*?-->|<\?.*?\?>|<!(?!\[)[^>]*>/gs, '');

function edited(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { from, to, put } of edits) {
    if (from < copied) continue;
    pieces.push(text.slice(copied, from), put);
    copied = to;
  }
  return pieces.join('') + text.slice(copied);
}
